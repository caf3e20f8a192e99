//! One output format: made, changed, removed; with a preview of its paths before it is saved.

use l10n_api_types::FormatId;
use l10n_api_types::output_formats::{EmptyAs, NewOutputFormat};
use l10n_formats::files;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::formats::{LIST, PATHS, path_of, preview, stated};
use super::forms::FieldErrors;
use super::gone;
use super::poll::state_of;
use super::view::field::FormView;
use super::view::hostile::quoted;
use super::view::parts::{card, facts, head};
use super::visit::{Visit, nothing_here};
use crate::domain::ServiceError;
use crate::domain::output_formats::{self, DisplayedFormat, FormatError, FormatPaths, FormatUpdate};

/// The output format that a page is about: none for a new one.
struct EditedFormat {
    id: String,
    format: NewOutputFormat,
}

impl EditedFormat {
    /// The state that a form is about.
    fn state(&self) -> String {
        let NewOutputFormat { format, path, empty_as, namespaces } = &self.format;
        state_of(&(format.as_str(), path, empty_as.map(|empty_as| empty_as.as_str()), namespaces))
    }

    /// The output format that the form was about, if it is still the one that the person was shown.
    fn shown(&self, visit: &Visit) -> DisplayedFormat<'_> {
        let format = Some(&self.format).filter(|_| visit.form.value("seen") == self.state());
        DisplayedFormat { id: &self.id, format }
    }
}

/// `GET …/settings/formats/new`
pub(super) async fn show_new(visit: Visit) -> Result<PageResponse, ServiceError> {
    Ok(page(&visit, &FieldErrors::default(), None, None))
}

/// `GET …/settings/formats/{formatId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let subject = find(&visit).await?.ok_or_else(nothing_here)?;
    let paths = look_ahead(&visit, &subject.format).await.ok();
    Ok(page(&visit, &FieldErrors::default(), Some(&subject), paths.as_deref()))
}

async fn find(visit: &Visit) -> Result<Option<EditedFormat>, ServiceError> {
    let (project, id) = (visit.project()?, visit.value("formatId")?);
    let mut tx = visit.service.store.begin_read().await?;
    let all = output_formats::list(&mut tx, &project.id).await?;
    tx.rollback().await?;
    let found = all.into_iter().find(|format| format.output_format_id.as_str() == id);
    found.map(|format| Ok(EditedFormat { id: id.to_owned(), format: stated(&format)? })).transpose()
}

async fn look_ahead(visit: &Visit, format: &NewOutputFormat) -> Result<Vec<FormatPaths>, FormatError> {
    let project = visit.project().map_err(FormatError::Service)?;
    let mut tx = visit.service.store.begin_read().await?;
    let paths = output_formats::paths(&mut tx, &project.id, format, PATHS).await;
    tx.rollback().await?;
    paths
}

fn page(
    visit: &Visit,
    errors: &FieldErrors,
    subject: Option<&EditedFormat>,
    paths: Option<&[FormatPaths]>,
) -> PageResponse {
    page_with(visit, errors, subject, paths, &Markup::default())
}

/// The page with a part before its form.
fn page_with(
    visit: &Visit,
    errors: &FieldErrors,
    subject: Option<&EditedFormat>,
    paths: Option<&[FormatPaths]>,
    before: &Markup,
) -> PageResponse {
    let form = FormView::new(visit, errors);
    let title = visit.t(if subject.is_some() { "formats.edit.title" } else { "formats.new.title" });
    let action = match subject {
        Some(subject) => path_of(visit, &subject.id),
        None => visit.in_project("/settings/formats/new"),
    };
    let content = html! {
        (head(&title, "", &Markup::default()))
        (before)
        form.card method="post" action=(action) novalidate {
            (fields(visit, &form, subject))
            div.form-end {
                button type="submit" { (visit.t("formats.save")) }
                button.secondary type="submit" name="preview" value="yes" { (visit.t("formats.preview.button")) }
            }
        }
        @if let Some(paths) = paths {
            (card(&visit.t("formats.preview.title"), &html! {
                p.muted { (visit.t("formats.preview.lead")) }
                (preview(visit, paths))
            }))
        }
        @if let Some(subject) = subject {
            (card(&visit.t("formats.remove.title"), &html! {
                p { (visit.t("formats.remove.text")) }
                form method="post" action={ (path_of(visit, &subject.id)) "/remove" } {
                    (form.shown("seen", &subject.state()))
                    button.danger type="submit" { (visit.t("formats.remove.submit")) }
                }
            }))
        }
        p { a href=(visit.in_project(LIST)) { (visit.t("formats.back")) } }
    };
    PageResponse::page(title, content)
}

fn fields(visit: &Visit, form: &FormView<'_>, subject: Option<&EditedFormat>) -> Markup {
    let of = |read: fn(&NewOutputFormat) -> String| subject.map(|subject| read(&subject.format)).unwrap_or_default();
    let formats = files::all().map(|format| (format.id().as_str().to_owned(), format.name().to_owned()));
    let empty_as = subject.and_then(|subject| subject.format.empty_as).unwrap_or(EmptyAs::Skip);
    let empty = html! {
        @for known in EmptyAs::ALL {
            (form.radio("empty", known.as_str(), &visit.t(&format!("formats.empty-as.{}", known.as_str())),
                &visit.t(&format!("formats.empty-hint.{}", known.as_str())), *known == empty_as))
        }
    };
    html! {
        (form.summary())
        @if let Some(subject) = subject { (form.shown("seen", &subject.state())) }
        (form.field("format", "formats.field.format").select(formats.collect())
            .initial(of(|format| format.format.as_str().to_owned())))
        (form.field("path", "formats.field.path").hint("formats.field.path-hint").longest(512).code()
            .initial(of(|format| format.path.clone())))
        (form.group("empty", &visit.t("formats.field.empty"), &empty))
        (form.field("namespaces", "formats.field.namespaces").hint("formats.field.namespaces-hint").optional().lines(3).code()
            .initial(of(|format| format.namespaces.as_ref().map(|list| list.join("\n")).unwrap_or_default())))
    }
}

/// The output format that was typed.
fn typed(visit: &Visit, errors: &mut FieldErrors) -> Option<NewOutputFormat> {
    let path = visit.form.line("path", 1..=512, errors);
    let namespaces = visit.form.text("namespaces", 0..=60_000, errors);
    let format = visit.form.value("format").parse::<FormatId>().ok();
    if format.is_none() {
        errors.add("format", "formats.wrong-format", None);
    }
    let empty_as = visit.form.value("empty").parse::<EmptyAs>().ok();
    if empty_as.is_none() {
        errors.add("empty", "formats.wrong-empty", None);
    }
    let namespaces: Vec<String> =
        namespaces.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let namespaces = Some(namespaces).filter(|list| !list.is_empty());
    Some(NewOutputFormat { format: format?, path, empty_as: Some(empty_as?), namespaces })
}

/// `POST …/settings/formats/new`
pub(super) async fn add(visit: Visit) -> Result<PageResponse, ServiceError> {
    sent(&visit, None).await
}

/// `POST …/settings/formats/{formatId}`
pub(super) async fn save(visit: Visit) -> Result<PageResponse, ServiceError> {
    match find(&visit).await? {
        Some(subject) => sent(&visit, Some(&subject)).await,
        None => Ok(gone(&visit)),
    }
}

async fn sent(visit: &Visit, subject: Option<&EditedFormat>) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let typed = typed(visit, &mut errors).filter(|_| errors.is_empty());
    if let Some(new) = typed {
        let is_preview = visit.form.has("preview");
        let update =
            subject.map_or(FormatUpdate::Add(&new), |subject| FormatUpdate::Change(subject.shown(visit), &new));
        match carry_out(visit, update, is_preview).await {
            Ok(()) if is_preview => {
                let paths = look_ahead(visit, &new).await.map_err(ServiceError::internal)?;
                return Ok(page(visit, &errors, subject, Some(&paths)));
            }
            Ok(()) => return Ok(PageResponse::done(&visit.in_project(LIST), "formats.saved")),
            Err(FormatError::Gone) => return Ok(gone(visit)),
            Err(FormatError::Moved) => return moved(visit).await,
            Err(error) => note(error, &mut errors)?,
        }
    }
    Ok(page(visit, &errors, subject, None).invalid())
}

/// The form once more, with what was typed, beside the output format as somebody has saved it meanwhile.
async fn moved(visit: &Visit) -> Result<PageResponse, ServiceError> {
    let Some(subject) = find(visit).await? else { return Ok(gone(visit)) };
    let mut errors = FieldErrors::default();
    errors.moved("formats.moved.text");
    let NewOutputFormat { format, path, empty_as, namespaces } = &subject.format;
    let say = |key: &str| visit.t(&format!("formats.{key}"));
    let now = facts(&[
        (say("field.format"), html! { code { (format.as_str()) } }),
        (say("field.path"), html! { code { (quoted(path)) } }),
        (say("field.empty"), html! { (say(&format!("empty-as.{}", empty_as.unwrap_or(EmptyAs::Skip).as_str()))) }),
        (
            say("field.namespaces"),
            match namespaces {
                Some(namespaces) => html! { (quoted(&namespaces.join(", "))) },
                None => html! { span.muted { (visit.t("common.none")) } },
            },
        ),
    ]);
    Ok(page_with(visit, &errors, Some(&subject), None, &card(&say("moved.now"), &now)).conflict())
}

/// Changes the list; a preview goes as far, and takes it back.
async fn carry_out(visit: &Visit, update: FormatUpdate<'_>, is_preview: bool) -> Result<(), FormatError> {
    let by = visit.person().map_err(FormatError::Service)?.actor();
    let change = visit.change(&by).map_err(FormatError::Service)?;
    let mut tx = visit.service.store.begin_write_in(change.workspace, change.project).await?;
    output_formats::update(&mut tx, change, update).await?;
    if is_preview {
        tx.rollback().await?
    } else {
        tx.commit().await?
    }
    Ok(())
}

/// Notes why an output format was not saved, beside its field.
fn note(error: FormatError, errors: &mut FieldErrors) -> Result<(), ServiceError> {
    match error {
        FormatError::Path(_) | FormatError::Clash(_) => errors.say("path", error.to_string()),
        FormatError::Namespaces(_) => errors.say("namespaces", error.to_string()),
        FormatError::TooMany | FormatError::Gone | FormatError::Moved => errors.say_whole(error.to_string()),
        FormatError::Service(error) => return errors.refused(error),
    }
    Ok(())
}

/// The page about an output format that somebody has changed or removed meanwhile.
fn gone(visit: &Visit) -> PageResponse {
    gone::page(visit, "formats.gone.title", "formats.gone.text", (&visit.in_project(LIST), "formats.back"))
}

/// `POST …/settings/formats/{formatId}/remove`
pub(super) async fn remove(visit: Visit) -> Result<PageResponse, ServiceError> {
    let Some(subject) = find(&visit).await? else { return Ok(gone(&visit)) };
    match carry_out(&visit, FormatUpdate::Remove(subject.shown(&visit)), false).await {
        Ok(()) => Ok(PageResponse::done(&visit.in_project(LIST), "formats.removed")),
        Err(FormatError::Service(error)) => Err(error),
        Err(_) => Ok(gone(&visit)),
    }
}

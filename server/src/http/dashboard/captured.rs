//! Captured keys: what apps miss. People accept or discard them, as a selection; `captured_key` is about one of them.

use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::hostile::{block, plain, quoted};
use super::view::parts::{self, Tone, badge, head};
use super::view::table::{Column, pager, table};
use super::view::time::time;
use super::visit::Visit;
use crate::domain::capture::{self, CaptureDecision, SelectionError};
use crate::domain::{ServiceError, pages};
use crate::store::keys::Key;

/// Keys of a page.
const PAGE: usize = 50;

/// The path of the list, below the project's.
pub(super) const LIST: &str = "/captured";

/// `GET /dashboard/@{handle}/{slug}/captured`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    page(&visit, &FieldErrors::default()).await
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let after = visit.query.get("after").unwrap_or_default();
    let mut tx = visit.service.store.begin_read().await?;
    let mut keys = capture::page(&mut tx, &project.id, after, pages::one_more(PAGE)).await?;
    tx.rollback().await?;
    let next = pages::cut(&mut keys, PAGE, |last| last.name.clone());
    let content = html! {
        (head(&visit.t("captured.title"), &visit.t("captured.lead"), &Markup::default()))
        @if keys.is_empty() {
            (FormView::new(visit, errors).summary())
            (parts::empty(&visit.t("captured.empty.title"), &html! { (visit.t("captured.empty.text")) }))
        } @else {
            (list(visit, errors, &keys))
        }
        (pager(visit, &visit.path, next.as_deref()))
    };
    Ok(PageResponse::page(visit.t("captured.title"), content))
}

/// The keys with a box for each, and what can be done with those that are set.
fn list(visit: &Visit, errors: &FieldErrors, keys: &[Key]) -> Markup {
    let form = FormView::new(visit, errors);
    let is_all = visit.query.get("select") == Some("all");
    let say = |key: &str| Column::new(visit.t(&format!("captured.column.{key}")));
    let columns = [say("key"), say("text"), say("where"), say("when"), Column::actions(visit.t("common.actions"))];
    let rows: Vec<Vec<Markup>> = keys.iter().map(|key| row(visit, key, is_all)).collect();
    html! {
        form.stack method="post" action={ (visit.path) (visit.query.with("select", None)) } {
            (form.summary_titled("captured.nothing-done"))
            (table(&visit.t("captured.title"), &columns, &rows))
            div.form-end {
                button type="submit" name="do" value="accept" { (visit.t("captured.accept-selected")) }
                button.secondary type="submit" name="do" value="discard" { (visit.t("captured.discard-selected")) }
                @if !is_all {
                    a.button.secondary href={ (visit.path) (visit.query.with("select", Some("all"))) } {
                        (visit.t("captured.select-all"))
                    }
                }
            }
            p.hint { (visit.t("captured.accept-hint")) }
        }
    }
}

fn row(visit: &Visit, key: &Key, is_all: bool) -> Vec<Markup> {
    let id = format!("key-{}", key.id);
    let is_set = is_all || visit.form.all("key").any(|set| set == key.id);
    let name = plain(&key.name);
    vec![
        html! {
            div.choice {
                input type="checkbox" id=(id) name="key" value=(key.id) checked[is_set];
                label for=(id) { code { (quoted(&key.name)) } }
            }
        },
        text(visit, key),
        html! { @if let Some(note) = &key.description { (note_of(visit, note)) } },
        time(visit, key.created_at),
        html! {
            a.button.small.secondary href=(path_of(visit, key))
                aria-label=(visit.tf("captured.open-of", &[("key", Value::Text(&name))])) { (visit.t("captured.open")) }
        },
    ]
}

/// The path of the page about a captured key.
pub(super) fn path_of(visit: &Visit, key: &Key) -> String {
    visit.in_project(&format!("{LIST}/{}", key.id))
}

/// The text that was captured, if one was.
pub(super) fn text(visit: &Visit, key: &Key) -> Markup {
    match captured_text(key) {
        Some(text) => block(&text, &visit.t("common.more")),
        None => badge(Tone::Warn, &visit.t("captured.textless")),
    }
}

/// The text that was captured, if one was.
pub(super) fn captured_text(key: &Key) -> Option<String> {
    key.source.0.clone().into_fields().0.filter(|text| !text.is_empty())
}

/// The place where a key was missed, as the app says.
pub(super) fn note_of(visit: &Visit, note: &str) -> Markup {
    html! { div.small { (block(note, &visit.t("common.more"))) } }
}

/// `POST /dashboard/@{handle}/{slug}/captured`
pub(super) async fn decide(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let decision = match visit.form.value("do") {
        "accept" => Some(CaptureDecision::Accept),
        "discard" => Some(CaptureDecision::Discard),
        _ => None,
    };
    let Some(decision) = decision else {
        errors.whole("captured.no-decision", None);
        return Ok(page(&visit, &errors).await?.invalid());
    };
    match carry_out(&visit, decision).await {
        Ok(()) => {
            let done = if decision == CaptureDecision::Accept { "captured.accepted" } else { "captured.discarded" };
            return Ok(PageResponse::done(&format!("{}{}", visit.path, visit.query.with("select", None)), done));
        }
        Err(SelectionError::Gone) => {
            errors.whole("captured.gone", None);
            return Ok(page(&visit, &errors).await?.conflict());
        }
        Err(error) => note(&visit, error, &mut errors)?,
    }
    Ok(page(&visit, &errors).await?.invalid())
}

async fn carry_out(visit: &Visit, decision: CaptureDecision) -> Result<(), SelectionError> {
    let by = visit.person()?.actor();
    let change = visit.change(&by)?;
    let ids: Vec<&str> = visit.form.all("key").filter(|id| crate::domain::pages::is_id(id)).collect();
    let mut tx = visit.service.store.begin_write_in(change.workspace, change.project).await?;
    capture::decide(&mut tx, change, &ids, decision).await?;
    tx.commit().await?;
    Ok(())
}

/// Notes why nothing was decided.
pub(super) fn note(visit: &Visit, error: SelectionError, errors: &mut FieldErrors) -> Result<(), ServiceError> {
    match error {
        SelectionError::Size => errors.whole("captured.none-selected", None),
        SelectionError::Gone => errors.whole("captured.gone", None),
        SelectionError::Textless(name) => {
            errors.say_whole(visit.tf("captured.textless-selected", &[("key", Value::Text(&plain(&name)))]));
        }
        SelectionError::Service(error) => return errors.refused(error),
    }
    Ok(())
}

//! Published versions: the list, one with its files and compared to another, and making an earlier one live again.

use l10n_api_types::VersionId;
use l10n_api_types::delivery::ManifestFile;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::routes;
use super::view::comparison;
use super::view::differences::{SHOWN, SHOWN_OF_ONE, differences};
use super::view::field::FormView;
use super::view::hostile::{plain, quoted};
use super::view::parts::{self, Tone, badge, card, copyable, facts, head};
use super::view::table::{Column, pager, table};
use super::view::time::time;
use super::visit::{Visit, nothing_here};
use crate::domain::access::Action;
use crate::domain::differences::{DisplayedTexts, between_versions};
use crate::domain::people::memberships;
use crate::domain::publish::{self, PersonalCall, PersonalError};
use crate::domain::versions::{self, FilesPage};
use crate::domain::{ServiceError, pages};
use crate::store::versions::{Version, VersionSummary};

/// Versions of a page, and of the choice of one to compare with; files of a page of one.
const PAGE: usize = 50;

/// `GET /dashboard/@{handle}/{slug}/versions`
pub(super) async fn list(visit: Visit) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let before = visit.query.get("after").and_then(|after| after.parse().ok()).unwrap_or(i64::MAX);
    let mut tx = visit.service.store.begin_read().await?;
    let mut found = versions::before(&mut tx, &project.id, before, PAGE + 1).await?;
    tx.rollback().await?;
    let next = pages::cut(&mut found, PAGE, |last| last.seq.to_string());
    let publish = routes::link(&visit, "/dashboard/@{handle}/{slug}/publish");
    let columns = [
        Column::new(visit.t("versions.version")),
        Column::new(visit.t("versions.state")),
        Column::number(visit.t("versions.keys")),
        Column::new(visit.t("versions.published")),
        Column::new(visit.t("versions.by")),
    ];
    let rows: Vec<Vec<Markup>> = found.iter().map(|version| row(&visit, version)).collect();
    let content = html! {
        (head(&visit.t("versions.title"), &visit.t("versions.lead"), &html! {
            @if let Some(publish) = &publish { a.button href=(publish) { (visit.t("versions.publish")) } }
        }))
        @if rows.is_empty() {
            (parts::empty(&visit.t("versions.empty.title"), &html! { (visit.t("versions.empty.text")) }))
        } @else {
            (table(&visit.t("versions.title"), &columns, &rows))
        }
        (pager(&visit, &visit.path, next.as_deref()))
    };
    Ok(PageResponse::page(visit.t("versions.title"), content))
}

fn row(visit: &Visit, version: &VersionSummary) -> Vec<Markup> {
    let is_live = is_live(visit, &version.id);
    vec![
        link(visit, &version.id, version.seq, &version.label),
        html! { @if is_live { (badge(Tone::Good, &visit.t("versions.live"))) } },
        html! { (visit.texts.number(version.key_count)) },
        time(visit, version.published_at),
        publisher(visit, version.published_by.as_deref()),
    ]
}

/// The path of a version.
fn path(visit: &Visit, id: &VersionId) -> String {
    visit.in_project(&format!("/versions/{id}"))
}

/// A version by its number and label, which leads to its page, and the time of its publish.
pub(super) fn linked(visit: &Visit, version: &Version) -> Markup {
    html! {
        (link(visit, &version.id, version.seq, &version.label)) " "
        span.muted.small { (time(visit, version.published_at)) }
    }
}

/// The live version, or that none was published yet.
pub(super) fn live(visit: &Visit, live: Option<&Version>) -> Markup {
    match live {
        Some(version) => linked(visit, version),
        None => html! { span.muted { (visit.t("publish.never")) } },
    }
}

fn link(visit: &Visit, id: &VersionId, seq: i64, label: &str) -> Markup {
    html! { a href=(path(visit, id)) { (name(seq, label)) } }
}

/// The number and the label, which a person or a program chose.
fn name(seq: i64, label: &str) -> Markup {
    html! { "#" (seq) " " (quoted(label)) }
}

fn publisher(visit: &Visit, person: Option<&str>) -> Markup {
    match person {
        Some(person) => quoted(person),
        None => html! { span.muted { (visit.t("versions.by-key")) } },
    }
}

fn is_live(visit: &Visit, id: &VersionId) -> bool {
    visit.of_project.as_ref().is_some_and(|project| project.live_version_id.as_ref() == Some(id))
}

/// `GET /dashboard/@{handle}/{slug}/versions/{versionId}`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    if visit.fragment() == Some(comparison::PART) {
        return fragment(&visit).await;
    }
    page(&visit, &FieldErrors::default()).await
}

/// The version that the page compares its own with, as the URL says.
fn compared_with(visit: &Visit, id: &VersionId) -> Option<VersionId> {
    visit.query.id("with").map(VersionId::from).filter(|with| with != id)
}

/// The comparison alone.
async fn fragment(visit: &Visit) -> Result<PageResponse, ServiceError> {
    let (project, id) = (visit.project()?, VersionId::from(visit.value("versionId")?));
    let with = compared_with(visit, &id).ok_or_else(nothing_here)?;
    let mut tx = visit.service.store.begin_read().await?;
    let from = versions::existing(&mut tx, &project.id, &with).await?;
    tx.rollback().await?;
    Ok(PageResponse::fragment(changes(visit, &from, &id).await?))
}

/// The differences between two versions.
async fn changes(visit: &Visit, from: &Version, to: &VersionId) -> Result<Markup, ServiceError> {
    let project = visit.project()?;
    let _turn = publish::comparison_turn(visit.service.publishing(), project).await?;
    let mut tx = visit.service.store.begin_read().await?;
    let language = visit.query.get("language");
    let shown = DisplayedTexts { language, most: if language.is_some() { SHOWN_OF_ONE } else { SHOWN } };
    let found = between_versions(&mut tx, &project.id, &from.id, to, shown).await?;
    tx.rollback().await?;
    Ok(differences(visit, &found))
}

async fn page(visit: &Visit, errors: &FieldErrors) -> Result<PageResponse, ServiceError> {
    let (project, id) = (visit.project()?, VersionId::from(visit.value("versionId")?));
    let with = compared_with(visit, &id);
    let mut tx = visit.service.store.begin_read().await?;
    let base_url = &visit.service.settings.base_url;
    let version = versions::existing(&mut tx, &project.id, &id).await?;
    let after = visit.query.get("after").unwrap_or_default();
    let FilesPage { files, next } = versions::files(&mut tx, &version, base_url, (after, PAGE)).await?;
    let others = versions::before(&mut tx, &project.id, i64::MAX, PAGE).await?;
    let from = match &with {
        Some(with) => Some(versions::existing(&mut tx, &project.id, with).await?),
        None => None,
    };
    tx.rollback().await?;
    let changes = match &from {
        None => None,
        Some(from) if comparison::is_made_now(visit)? => Some(changes(visit, from, &id).await?),
        Some(_) => Some(comparison::made_later(visit)),
    };
    let title = visit.tf("versions.one", &[("n", Value::Number(version.seq))]);
    let content = html! {
        (head(&title, "", &html! {
            @if is_live(visit, &id) { (badge(Tone::Good, &visit.t("versions.live"))) }
        }))
        (FormView::new(visit, errors).summary())
        div.two {
            (card(&visit.t("versions.about"), &about(visit, &version)))
            @if !is_live(visit, &id) && visit.may(Action::Restore) { (restore_form(visit, &version)) }
        }
        section.stack {
            h2 { (visit.t("versions.files")) }
            (files_table(visit, &files))
            (pager(visit, &path(visit, &id), next.as_deref()))
        }
        section.stack id="compare" {
            h2 { (visit.t("versions.compare")) }
            (choice(visit, &id, with.as_ref(), &others))
            @if let Some(from) = &from {
                p { (visit.tf("versions.from-to", &[("from", Value::Number(from.seq)), ("to", Value::Number(version.seq))])) }
            }
            @if let Some(changes) = changes { (changes) }
        }
    };
    Ok(PageResponse::page(title, content))
}

fn about(visit: &Visit, version: &Version) -> Markup {
    let languages = version.languages.0.iter().map(|language| language.code.as_str()).collect::<Vec<_>>().join(", ");
    let number = |number: u64| html! { (visit.texts.number(i64::try_from(number).unwrap_or(i64::MAX))) };
    facts(&[
        (visit.t("versions.label"), quoted(&version.label)),
        (visit.t("versions.published"), time(visit, version.published_at)),
        (visit.t("versions.by"), publisher(visit, version.published_by.as_deref())),
        (visit.t("versions.keys"), html! { (visit.texts.number(version.key_count)) }),
        (visit.t("versions.languages"), html! { bdi { (languages) } }),
        (visit.t("versions.held-back"), number(version.issues.0.error)),
        (visit.t("versions.warnings"), number(version.issues.0.warning)),
        (visit.t("versions.id"), html! { code { (version.id) } }),
    ])
}

fn restore_form(visit: &Visit, version: &Version) -> Markup {
    let live = visit.of_project.as_ref().and_then(|project| project.live_version_id.as_ref());
    html! {
        section.card.stack {
            h2 { (visit.t("versions.restore.title")) }
            p { (visit.t("versions.restore.text")) }
            @if let Some(live) = live {
                p { a href={ (path(visit, &version.id)) "?with=" (live) "#compare" } { (visit.t("versions.restore.compare")) } }
            }
            form method="post" action={ (path(visit, &version.id)) "/restore" } novalidate {
                input type="hidden" name="live" value=[live];
                div.form-end { button type="submit" { (visit.t("versions.restore.submit")) } }
            }
        }
    }
}

fn files_table(visit: &Visit, files: &[ManifestFile]) -> Markup {
    let columns = [
        Column::new(visit.t("versions.file")),
        Column::new(visit.t("versions.language")),
        Column::number(visit.t("versions.size")),
        Column::new(visit.t("versions.hash")),
        Column::new(visit.t("versions.url")),
    ];
    let rows: Vec<Vec<Markup>> = files
        .iter()
        .map(|file| {
            let short = file.sha256.get(..12).unwrap_or(&file.sha256);
            let bytes = Value::Number(i64::try_from(file.bytes).unwrap_or(i64::MAX));
            vec![
                html! { code { (quoted(&file.path)) } },
                html! { bdi { (file.language) } },
                html! { (visit.tf("versions.bytes", &[("n", bytes)])) },
                html! { code title=(file.sha256) { (short) "…" } },
                copyable(&file.url, &visit.t("common.copy"), &visit.t("common.copied")),
            ]
        })
        .collect();
    table(&visit.t("versions.files"), &columns, &rows)
}

/// The choice of a version to compare with.
fn choice(visit: &Visit, id: &VersionId, with: Option<&VersionId>, others: &[VersionSummary]) -> Markup {
    let others: Vec<_> = others.iter().filter(|other| other.id != *id).collect();
    html! {
        @if others.is_empty() {
            p.muted { (visit.t("versions.alone")) }
        } @else {
            form.inline method="get" action={ (visit.in_project(&format!("/versions/{id}"))) "#compare" } {
                div.field {
                    label for="f-with" { (visit.t("versions.with")) }
                    select id="f-with" name="with" {
                        @for other in others {
                            option value=(other.id) selected[with == Some(&other.id)] { "#" (other.seq) " " (plain(&other.label)) }
                        }
                    }
                }
                button.secondary type="submit" { (visit.t("versions.compare-submit")) }
            }
        }
    }
}

/// `POST /dashboard/@{handle}/{slug}/versions/{versionId}/restore`
pub(super) async fn restore(visit: Visit) -> Result<PageResponse, ServiceError> {
    let id = VersionId::from(visit.value("versionId")?);
    let seen = visit.form.id("live").map(VersionId::from);
    let mut errors = FieldErrors::default();
    let done = publish::restore_seen(visit.service.publishing(), call(&visit)?, &id, seen.as_ref()).await;
    match done {
        Ok(_) => return Ok(PageResponse::done(&path(&visit, &id), "versions.restored")),
        Err(PersonalError::Moved) => errors.whole("versions.moved", None),
        Err(PersonalError::Service(error)) => errors.refused(error)?,
    }
    Ok(page(&reloaded(visit).await?, &errors).await?.conflict())
}

/// The visit with the project as it is now, not as it was when the form came.
pub(super) async fn reloaded(visit: Visit) -> Result<Visit, ServiceError> {
    let slug = &visit.project()?.slug;
    let found =
        memberships::in_project(visit.service.people(), visit.person()?, &visit.membership()?.handle, slug).await?;
    let (project, membership) = found.ok_or_else(nothing_here)?;
    Ok(Visit { of_project: Some(project), membership: Some(membership), ..visit })
}

/// The visit as a call of the person.
pub(super) fn call(visit: &Visit) -> Result<PersonalCall<'_>, ServiceError> {
    Ok(PersonalCall {
        person: visit.person()?,
        workspace: &visit.membership()?.workspace,
        project: &visit.project()?.id,
        request: &visit.request,
    })
}

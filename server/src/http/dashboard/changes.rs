//! Pending code changes: what people changed on the source side that the code lacks, and withdrawing it.

use l10n_api_types::Content;
use l10n_api_types::pending_code_changes::{ChangeKind, CodeChange, Side};
use maud::{Markup, html};

use super::answer::PageResponse;
use super::forms::FieldErrors;
use super::gone;
use super::view::field::FormView;
use super::view::hostile::{block, quoted};
use super::view::parts::{self, Tone, badge, facts, head};
use super::view::table::{Column, pager, table};
use super::view::time::time;
use super::visit::{Visit, nothing_here};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::code_changes::{self, ShownChange, WithdrawError};
use crate::domain::differences::said;

/// Changes of a page.
const PAGE: usize = 50;

/// The path of the list, below the project's.
const LIST: &str = "/changes";

/// `GET /dashboard/@{handle}/{slug}/changes`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let after = visit.query.id("after").unwrap_or_default();
    let mut tx = visit.service.store.begin_read().await?;
    let (changes, next) = code_changes::page(&mut tx, &project.id, after, PAGE).await?;
    tx.rollback().await?;
    let columns =
        ["key", "kind", "code", "project", "by"].map(|key| Column::new(visit.t(&format!("changes.column.{key}"))));
    let columns = [columns.as_slice(), &[Column::actions(visit.t("common.actions"))]].concat();
    let rows: Vec<Vec<Markup>> = changes.iter().map(|shown| row(&visit, &shown.change)).collect();
    let content = html! {
        (head(&visit.t("changes.title"), &visit.t("changes.lead"), &Markup::default()))
        @if rows.is_empty() {
            (parts::empty(&visit.t("changes.empty.title"), &html! { (visit.t("changes.empty.text")) }))
        } @else {
            p { (visit.rich("changes.pull", &[("command", html! { code { "l10n pull-changes" } })])) }
            (table(&visit.t("changes.title"), &columns, &rows))
        }
        (pager(&visit, &visit.path, next.as_deref()))
    };
    Ok(PageResponse::page(visit.t("changes.title"), content))
}

fn row(visit: &Visit, change: &CodeChange) -> Vec<Markup> {
    vec![
        html! {
            code { (quoted(&change.r#ref)) }
            @if let Some(file) = &change.file { p.muted.small { (quoted(file)) } }
        },
        kind(visit, change.kind),
        side(visit, change.from.as_ref()),
        side(visit, change.to.as_ref()),
        html! { (quoted(&change.by)) br; span.muted.small { (time(visit, change.created_at)) } },
        html! {
            a.button.small.secondary href=(path_of(visit, change.change_id.as_str())) { (visit.t("changes.withdraw.button")) }
        },
    ]
}

fn kind(visit: &Visit, kind: ChangeKind) -> Markup {
    badge(Tone::Plain, &visit.t(&format!("changes.kind.{}", kind.as_str().replace('_', "-"))))
}

/// One side: a text, a name, or nothing.
fn side(visit: &Visit, side: Option<&Side>) -> Markup {
    let text = match side {
        None => return html! { span.muted { (visit.t("common.none")) } },
        Some(Side::Text(text)) => text.clone(),
        Some(Side::Plural(plural)) => said(&Content::Plural(plural.clone())),
    };
    block(&text, &visit.t("common.more"))
}

fn path_of(visit: &Visit, id: &str) -> String {
    visit.in_project(&format!("{LIST}/{id}"))
}

/// `GET …/changes/{changeId}`
pub(super) async fn ask(visit: Visit) -> Result<PageResponse, ServiceError> {
    let found = find(&visit).await?.ok_or_else(nothing_here)?;
    Ok(page(&visit, &FieldErrors::default(), &found))
}

async fn find(visit: &Visit) -> Result<Option<ShownChange>, ServiceError> {
    let mut tx = visit.service.store.begin_read().await?;
    let found = code_changes::find(&mut tx, &visit.project()?.id, visit.value("changeId")?).await?;
    tx.rollback().await?;
    Ok(found)
}

/// The page that asks.
fn page(visit: &Visit, errors: &FieldErrors, shown: &ShownChange) -> PageResponse {
    let change = &shown.change;
    let form = FormView::new(visit, errors);
    let title = visit.t("changes.withdraw.title");
    let say = |key: &str| visit.t(&format!("changes.column.{key}"));
    let told = [
        (say("key"), html! { code { (quoted(&change.r#ref)) } }),
        (say("kind"), kind(visit, change.kind)),
        (say("code"), side(visit, change.from.as_ref())),
        (say("project"), side(visit, change.to.as_ref())),
        (say("by"), quoted(&change.by)),
    ];
    let content = html! {
        (head(&title, "", &Markup::default()))
        section.card {
            (form.summary_titled("changes.withdraw.refused"))
            (facts(&told))
            p { (visit.t(&format!("changes.withdraw.{}", change.kind.as_str().replace('_', "-")))) }
            form method="post" action=(path_of(visit, change.change_id.as_str())) {
                // The state that the person was shown.
                input type="hidden" name="seen" value=(shown.updated_at.as_millis());
                div.form-end { button.danger type="submit" { (visit.t("changes.withdraw.submit")) } }
            }
            p { a href=(visit.in_project(LIST)) { (visit.t("common.cancel")) } }
        }
    };
    PageResponse::page(title, content)
}

/// `POST …/changes/{changeId}`
pub(super) async fn withdraw(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    match carry_out(&visit).await {
        Ok(()) => return Ok(PageResponse::done(&visit.in_project(LIST), "changes.withdrawn")),
        Err(WithdrawError::Gone) => return Ok(gone(&visit)),
        Err(WithdrawError::Moved) => errors.whole("changes.withdraw.moved", None),
        Err(WithdrawError::Service(error)) => errors.refused(error)?,
    }
    match find(&visit).await? {
        Some(shown) => Ok(page(&visit, &errors, &shown).conflict()),
        None => Ok(gone(&visit)),
    }
}

async fn carry_out(visit: &Visit) -> Result<(), WithdrawError> {
    let by = visit.person()?.actor();
    let change = visit.change(&by)?;
    let seen = visit.form.value("seen").parse().map(Timestamp::from_millis).map_err(|_| WithdrawError::Moved);
    let mut tx = visit.service.store.begin_write_in(change.workspace, change.project).await?;
    code_changes::withdraw(&mut tx, change, visit.value("changeId")?, seen.unwrap_or(Timestamp::from_millis(0)))
        .await?;
    tx.commit().await?;
    Ok(())
}

/// The page about a change that does not wait any more.
fn gone(visit: &Visit) -> PageResponse {
    gone::page(visit, "changes.gone.title", "changes.gone.text", (&visit.in_project(LIST), "changes.back"))
}

//! The list of what agents ask for in a project. The page of one operation is `operation`.

use l10n_api_types::operations::Operation;
use l10n_formats::text::format::Value;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::operation::{path_of, status, work};
use super::poll::state_of;
use super::view::hostile::quoted;
use super::view::layout;
use super::view::parts::{self, head};
use super::view::table::{Column, pager, table};
use super::view::time::time;
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::access::Action;
use crate::domain::operations::{self, OperationsPart};

/// The part of the page that the script loads anew.
const LIST: &str = "list";

/// The field of the query with the id behind which more of those follow that wait for a decision.
const WAITING: &str = "waiting";

/// `GET /dashboard/@{handle}/{slug}/approvals`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let project = visit.project()?;
    let part = part(&visit);
    let mut tx = visit.service.store.begin_read().await?;
    let listed = operations::of_project(&mut tx, &visit.service.settings, visit.now, &project.id, part).await?;
    tx.rollback().await?;
    let pending = pending(&visit).await?;
    let number = shown(&visit, pending);
    let title = match pending {
        0 => visit.t("approvals.title"),
        _ => format!("({number}) {}", visit.t("approvals.title")),
    };
    // The script keeps the title of the page and the number in the navigation in step with the list.
    let content = html! {
        div.stack data-title=(layout::title(visit.texts, &title)) data-count=[(pending > 0).then_some(&number)]
            data-label=(label(&visit, &number)) {
            (lists(&visit, &listed))
        }
    };
    let state = state(pending, &listed);
    if visit.fragment() == Some(LIST) {
        return Ok(PageResponse::polled(content, &state));
    }
    let reload = html! { a.button.secondary href=(visit.here()) { (visit.t("common.reload")) } };
    let content = html! {
        (head(&visit.t("approvals.title"), &visit.t("approvals.lead"), &reload))
        (parts::polled(LIST, &state, &content))
        (pager(&visit, &visit.path, listed.next.as_deref()))
    };
    Ok(PageResponse::page(title, content))
}

/// Counts the requests that wait, for the navigation.
pub(super) async fn count(visit: &mut Visit) -> Result<(), ServiceError> {
    visit.pending = if visit.may(Action::Decide) { pending(visit).await? } else { 0 };
    Ok(())
}

async fn pending(visit: &Visit) -> Result<i64, ServiceError> {
    let Some(project) = &visit.of_project else { return Ok(0) };
    let mut tx = visit.service.store.begin_read().await?;
    let pending = operations::count_pending(&mut tx, visit.now, &project.id).await?;
    tx.rollback().await?;
    Ok(pending)
}

/// The number of requests that wait, in the navigation and in the title.
pub(super) fn shown(visit: &Visit, pending: i64) -> String {
    match pending {
        operations::MOST_COUNTED.. => format!("{}+", visit.texts.number(operations::MOST_COUNTED - 1)),
        pending => visit.texts.number(pending),
    }
}

/// The same in words, for the ear.
pub(super) fn label(visit: &Visit, number: &str) -> String {
    visit.tf("nav.pending", &[("n", Value::Text(number))])
}

/// The state of a page of the list: it is another one when a request comes, is decided, used or ends.
fn state(pending: i64, listed: &operations::OperationLists) -> String {
    let operations = listed.pending.iter().chain(&listed.others);
    let told: Vec<_> = operations.map(|it| (it.operation_id.as_str(), it.status.as_str())).collect();
    state_of(&(pending, told))
}

/// The part of the list that the URL asks for.
fn part(visit: &Visit) -> OperationsPart<'_> {
    match (visit.query.id(WAITING), visit.query.id("after")) {
        (Some(after), _) => OperationsPart::Pending(after),
        (None, Some(after)) => OperationsPart::Others(after),
        (None, None) => OperationsPart::First,
    }
}

fn lists(visit: &Visit, listed: &operations::OperationLists) -> Markup {
    let part = part(visit);
    html! {
        @if !matches!(part, OperationsPart::Others(_)) {
            section.stack {
                h2 { (visit.t("approvals.pending")) }
                @if listed.pending.is_empty() {
                    (parts::empty(&visit.t("approvals.none.title"), &html! { (visit.t("approvals.none.text")) }))
                } @else {
                    (rows(visit, &visit.t("approvals.pending"), &listed.pending))
                }
                @if let Some(next) = &listed.next_pending {
                    p { a href={ (visit.path) (visit.query.with(WAITING, Some(next))) } { (visit.t("approvals.more-pending")) } }
                }
                @if matches!(part, OperationsPart::Pending(_)) {
                    p { a href=(visit.path) { (visit.t("approvals.first")) } }
                }
            }
        }
        @if !listed.others.is_empty() {
            section.stack {
                h2 { (visit.t("approvals.others")) }
                (rows(visit, &visit.t("approvals.others"), &listed.others))
            }
        }
    }
}

fn rows(visit: &Visit, caption: &str, operations: &[Operation]) -> Markup {
    let columns = ["work", "key", "status", "asked", "expires"]
        .map(|column| Column::new(visit.t(&format!("approvals.column.{column}"))));
    let rows: Vec<Vec<Markup>> = operations.iter().map(|operation| row(visit, operation)).collect();
    table(caption, &columns, &rows)
}

fn row(visit: &Visit, operation: &Operation) -> Vec<Markup> {
    vec![
        html! { a href=(path_of(operation)) { (work(visit, operation)) } },
        quoted(&operation.requested_by.label),
        status(visit, operation.status),
        time(visit, operation.created_at),
        time(visit, operation.expires_at),
    ]
}

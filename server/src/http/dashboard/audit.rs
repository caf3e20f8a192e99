//! The audit log of a workspace, with filters, and as CSV.

use maud::{Markup, html};
use url::form_urlencoded;

use super::answer::PageResponse;
use super::csv::{self, Cell, Csv};
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::filter::{days, list_filter};
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, badge, head};
use super::view::table::{Column, pager, table};
use super::view::time::{exact, time};
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::people::LONGEST_EMAIL;
use crate::domain::people::audit::{self, ActorKind, AuditAction, AuditEntry, AuditFilter, AuditPage};

/// Entries of a page.
const PAGE: usize = 50;
/// Entries that are read at a time for a file.
const PIECE: usize = 500;

/// The path of the page, below the workspace's.
const PATH: &str = "/-/audit";

/// Columns of the file.
const COLUMNS: [&str; 9] =
    ["time", "actor_kind", "actor", "actor_id", "action", "project", "subject", "detail", "entry_id"];

/// `GET /dashboard/@{handle}/-/audit`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let found = match filter(&visit, &mut errors).await? {
        Some(filter) => audit::list(visit.service.people(), &visit.membership()?.workspace, &filter, PAGE).await?,
        None => AuditPage { entries: Vec::new(), next: None },
    };
    let answer = page(&visit, &errors, &found, None);
    Ok(if errors.is_empty() { answer } else { answer.invalid() })
}

/// The filter of the query; `None` where nothing can match it.
async fn filter(visit: &Visit, errors: &mut FieldErrors) -> Result<Option<AuditFilter>, ServiceError> {
    let query = &visit.query;
    let by = query.line("by", 0..=LONGEST_EMAIL, errors);
    let action = query.value("action");
    let known = AuditAction::parse(action);
    if known.is_none() && !action.is_empty() {
        errors.add("action", "audit.wrong-action", None);
    }
    let (since, until) = days(query, errors);
    if !errors.is_empty() {
        return Ok(None);
    }
    let actor_id = match by.as_str() {
        "" => None,
        by => match audit::actor(visit.service.people(), by).await? {
            Some(id) => Some(id),
            None => return Ok(None),
        },
    };
    let cursor = query.get("after").map(str::to_owned);
    Ok(Some(AuditFilter { actor_id, action: known, since, until, cursor }))
}

/// The page; `notice` stands first in it.
fn page(visit: &Visit, errors: &FieldErrors, found: &AuditPage, notice: Option<&str>) -> PageResponse {
    let file = format!("{}{}", visit.in_workspace("/-/audit/csv"), visit.query.with("after", None));
    let content = html! {
        (head(&visit.t("audit.title"), &visit.t("audit.lead"), &html! {
            a.button.secondary href=(file) { (visit.t("common.csv")) }
        }))
        @if let Some(notice) = notice { (parts::notice(Tone::Warn, &html! { p { (notice) } })) }
        (filter_form(visit, errors))
        @if found.entries.is_empty() && errors.is_empty() && notice.is_none() {
            (parts::empty(&visit.t("audit.empty.title"), &html! { (visit.t("audit.empty.text")) }))
        } @else if !found.entries.is_empty() {
            (list(visit, &found.entries))
        }
        (pager(visit, &visit.in_workspace("/-/audit"), found.next.as_deref()))
    };
    PageResponse::page(visit.t("audit.title"), content)
}

fn filter_form(visit: &Visit, errors: &FieldErrors) -> Markup {
    let form = FormView::of_query(visit, errors);
    let mut actions = vec![(String::new(), visit.t("audit.all-actions"))];
    let mut named: Vec<_> =
        AuditAction::ALL.iter().map(|known| (known.as_str().to_owned(), action(visit, *known))).collect();
    named.sort_by(|one, other| one.1.cmp(&other.1));
    actions.extend(named);
    let fields = html! {
        (form.field("by", "audit.by").hint("audit.by-hint").longest(LONGEST_EMAIL).code())
        (form.field("action", "audit.column.action").select(actions))
    };
    list_filter(visit, &form, &visit.in_workspace(PATH), &["by", "action"], &fields)
}

/// An action in words.
fn action(visit: &Visit, action: AuditAction) -> String {
    visit.t(&text_of(action))
}

fn text_of(action: AuditAction) -> String {
    format!("audit.action.{}", action.as_str())
}

fn list(visit: &Visit, entries: &[AuditEntry]) -> Markup {
    let say = |key: &str| Column::new(visit.t(&format!("audit.column.{key}")));
    let columns = [say("time"), say("actor"), say("action"), say("subject"), say("detail")];
    let rows: Vec<Vec<Markup>> = entries.iter().map(|entry| row(visit, entry)).collect();
    table(&visit.t("audit.title"), &columns, &rows)
}

fn row(visit: &Visit, entry: &AuditEntry) -> Vec<Markup> {
    let kind = match entry.actor_kind {
        ActorKind::Person => None,
        ActorKind::Key => Some(visit.t("audit.kind.key")),
        ActorKind::Operator => Some(visit.t("audit.kind.operator")),
    };
    vec![
        html! { (time(visit, entry.created_at)) br; span.muted.small { (exact(entry.created_at)) } },
        html! {
            @match own_entries(visit, entry) {
                Some(path) => a href=(path) title=(visit.t("audit.only")) { (quoted(&entry.actor)) },
                None => (quoted(&entry.actor)),
            }
            @if let Some(kind) = kind { " " (badge(Tone::Plain, &kind)) }
        },
        html! { (action(visit, entry.action)) },
        html! {
            @if let Some(subject) = &entry.subject { (quoted(subject)) }
            @if let Some(slug) = &entry.project_slug {
                @if entry.subject.is_some() { br; }
                span.muted.small { (visit.t("audit.in")) " " bdi { (slug) } }
            }
        },
        html! { @if let Some(detail) = &entry.detail { (quoted(detail)) } },
    ]
}

/// The path of the entries of the same person or key.
fn own_entries(visit: &Visit, entry: &AuditEntry) -> Option<String> {
    let id = entry.actor_id.as_deref()?;
    let by = if entry.actor_kind == ActorKind::Person { entry.actor.as_str() } else { id };
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("by", by).finish();
    Some(format!("{}?{query}", visit.in_workspace(PATH)))
}

/// `GET /dashboard/@{handle}/-/audit/csv`
pub(super) async fn csv(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let none = AuditPage { entries: Vec::new(), next: None };
    let mut csv = Csv::new(&COLUMNS);
    let mut wanted = filter(&visit, &mut errors).await?;
    if !errors.is_empty() {
        return Ok(page(&visit, &errors, &none, None).invalid());
    }
    let workspace = &visit.membership()?.workspace;
    while let Some(filter) = wanted.take() {
        let found = audit::list(visit.service.people(), workspace, &filter, PIECE).await?;
        found.entries.iter().for_each(|entry| write(&mut csv, entry));
        if csv.is_too_large() {
            let notice = csv::too_large(&visit);
            return Ok(page(&visit, &errors, &none, Some(&notice)).invalid());
        }
        wanted = found.next.map(|next| AuditFilter { cursor: Some(next), ..filter });
    }
    csv.download(&visit, "audit")
}

fn write(csv: &mut Csv, entry: &AuditEntry) {
    let time = entry.created_at.to_string();
    let cells = [
        time.as_str(),
        entry.actor_kind.as_str(),
        &entry.actor,
        entry.actor_id.as_deref().unwrap_or_default(),
        entry.action.as_str(),
        entry.project_slug.as_deref().unwrap_or_default(),
        entry.subject.as_deref().unwrap_or_default(),
        entry.detail.as_deref().unwrap_or_default(),
        &entry.id,
    ];
    csv.row(&cells.map(Cell::Text));
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;
    use crate::http::dashboard::texts;

    #[test]
    fn every_action_has_words() {
        let texts = texts::of(None, &HeaderMap::new());
        for action in AuditAction::ALL {
            assert!(texts.has(&text_of(*action)), "server/locales/en.json lacks {}", text_of(*action));
        }
    }
}

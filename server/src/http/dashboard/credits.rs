//! The credits of a workspace: its funds, the price of work, and the ledger, also as CSV.

use l10n_api_types::Millicredits;
use maud::{Markup, html};

use super::answer::PageResponse;
use super::csv::{self, Cell, Csv};
use super::forms::FieldErrors;
use super::view::field::FormView;
use super::view::filter::{days, list_filter};
use super::view::hostile::quoted;
use super::view::parts::{self, Tone, badge, facts, figure, head};
use super::view::table::{Column, pager, table};
use super::view::time::{exact, money, time};
use super::visit::Visit;
use crate::domain::ServiceError;
use crate::domain::access::Action;
use crate::domain::credits::{self, CreditOverview};
use crate::domain::ledger::{self, EntryKind, LedgerEntry, LedgerFilter, LedgerPage};
use crate::domain::projects;
use crate::store::Tx;

/// Entries of a page.
const PAGE: usize = 50;
/// Entries that are read at a time for a file.
const PIECE: usize = 500;
/// Projects that the filter offers.
const OFFERED: i64 = 200;
/// Most characters of a project's name in addresses.
const LONGEST_SLUG: usize = 64;

/// The path of the page, below the workspace's.
const PATH: &str = "/-/credits";

/// Columns of the file.
const COLUMNS: [&str; 8] = ["time", "kind", "credits", "millicredits", "project", "run", "note", "entry_id"];

/// `GET /dashboard/@{handle}/-/credits`
pub(super) async fn show(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let workspace = &visit.membership()?.workspace;
    let mut tx = visit.service.store.begin_read().await?;
    let found = match filter(&visit, &mut tx, &mut errors).await? {
        Some(filter) => ledger::list(&mut tx, workspace, &filter, PAGE).await?,
        None => LedgerPage::default(),
    };
    let answer = page(&visit, &mut tx, &errors, found, None).await?;
    tx.rollback().await?;
    Ok(if errors.is_empty() { answer } else { answer.invalid() })
}

/// The filter of the query; `None` where nothing can match it.
async fn filter(visit: &Visit, tx: &mut Tx, errors: &mut FieldErrors) -> Result<Option<LedgerFilter>, ServiceError> {
    let query = &visit.query;
    let kind = query.value("kind");
    let known = EntryKind::parse(kind);
    if known.is_none() && !kind.is_empty() {
        errors.add("kind", "credits.wrong-kind", None);
    }
    let slug = query.line("project", 0..=LONGEST_SLUG, errors);
    let (since, until) = days(query, errors);
    if !errors.is_empty() {
        return Ok(None);
    }
    let project = match slug.as_str() {
        "" => None,
        slug => match projects::id_of_slug(tx, &visit.membership()?.workspace, slug).await? {
            Some(id) => Some(id),
            None => return Ok(None),
        },
    };
    let cursor = query.get("after").map(str::to_owned);
    Ok(Some(LedgerFilter { kind: known, project, since, until, cursor }))
}

/// The page; `notice` stands first in it.
async fn page(
    visit: &Visit,
    tx: &mut Tx,
    errors: &FieldErrors,
    ledger: LedgerPage,
    notice: Option<&str>,
) -> Result<PageResponse, ServiceError> {
    let workspace = &visit.membership()?.workspace;
    let overview = credits::overview(tx, workspace, visit.now).await?;
    let projects = projects::slugs(tx, workspace, OFFERED).await?;
    let file = format!("{}{}", visit.in_workspace("/-/credits/csv"), visit.query.with("after", None));
    let content = html! {
        (head(&visit.t("credits.title"), &visit.t("credits.lead"), &html! {
            @if visit.may(Action::ManageCredits) {
                a.button.secondary href=(visit.in_workspace("/-/credits/cap")) { (visit.t("cap.change")) }
            }
        }))
        @if let Some(notice) = notice { (parts::notice(Tone::Warn, &html! { p { (notice) } })) }
        (figures(visit, &overview))
        section.stack {
            div.section-head {
                h2 { (visit.t("credits.ledger")) }
                a.button.small.secondary href=(file) { (visit.t("common.csv")) }
            }
            (filter_form(visit, errors, &projects))
            @if ledger.entries.is_empty() && errors.is_empty() && notice.is_none() {
                (parts::empty(&visit.t("credits.empty.title"), &html! { (visit.t("credits.empty.text")) }))
            } @else if !ledger.entries.is_empty() {
                (list(visit, &ledger.entries))
            }
            (pager(visit, &visit.in_workspace("/-/credits"), ledger.next.as_deref()))
        }
    };
    Ok(PageResponse::page(visit.t("credits.title"), content))
}

fn figures(visit: &Visit, overview: &CreditOverview) -> Markup {
    let shown = |name: &str, amount: Millicredits| figure(&visit.t(&format!("credits.{name}")), &money(visit, amount));
    let (pricing, engines) = (&visit.service.settings.pricing, &visit.service.engines);
    let price = pricing.dearest(engines.standard().names()).price(1);
    let own: Vec<_> = engines.names().filter(|name| pricing.of_engines.contains_key(*name)).collect();
    html! {
        div.figures {
            (shown("balance", overview.balance))
            (shown("held", overview.held))
            (shown("available", overview.available))
            (shown("spent", overview.spent))
            @match overview.cap {
                Some(cap) => {
                    (shown("cap", cap))
                    (shown("cap-left", overview.cap_left.unwrap_or_default()))
                },
                None => (figure(&visit.t("credits.cap"), &html! { (visit.t("common.none")) })),
            }
            (shown("price", price))
        }
        @if !own.is_empty() {
            h2 { (visit.t("credits.prices")) }
            (facts(&own.iter().map(|name| ((*name).to_owned(), money(visit, pricing.of_engine(name).price(1)))).collect::<Vec<_>>()))
        }
        p.muted.small { (visit.t("credits.about")) }
    }
}

fn filter_form(visit: &Visit, errors: &FieldErrors, projects: &[String]) -> Markup {
    let form = FormView::of_query(visit, errors);
    let mut kinds = vec![(String::new(), visit.t("credits.all-kinds"))];
    kinds.extend(EntryKind::ALL.iter().map(|known| (known.as_str().to_owned(), kind(visit, *known))));
    let mut slugs = vec![(String::new(), visit.t("credits.all-projects"))];
    slugs.extend(projects.iter().map(|slug| (slug.clone(), slug.clone())));
    let chosen = visit.query.value("project").trim();
    if !slugs.iter().any(|(known, _)| known == chosen) {
        slugs.push((chosen.to_owned(), super::view::hostile::plain(chosen)));
    }
    let fields = html! {
        (form.field("kind", "credits.column.kind").select(kinds))
        (form.field("project", "credits.column.project").select(slugs))
    };
    list_filter(visit, &form, &visit.in_workspace(PATH), &["kind", "project"], &fields)
}

/// The kind of a movement in words.
fn kind(visit: &Visit, kind: EntryKind) -> String {
    visit.t(&format!("credits.kind.{}", kind.as_str()))
}

fn list(visit: &Visit, entries: &[LedgerEntry]) -> Markup {
    let say = |key: &str| visit.t(&format!("credits.column.{key}"));
    let columns = [
        Column::new(say("time")),
        Column::new(say("kind")),
        Column::new(say("project")),
        Column::new(say("about")),
        Column::number(say("amount")),
    ];
    let rows: Vec<Vec<Markup>> = entries.iter().map(|entry| row(visit, entry)).collect();
    table(&visit.t("credits.ledger"), &columns, &rows)
}

fn row(visit: &Visit, entry: &LedgerEntry) -> Vec<Markup> {
    let tone = if entry.kind == EntryKind::Grant { Tone::Good } else { Tone::Plain };
    vec![
        html! { (time(visit, entry.created_at)) br; span.muted.small { (exact(entry.created_at)) } },
        badge(tone, &kind(visit, entry.kind)),
        html! {
            @match (&entry.project_slug, &entry.project_id) {
                (Some(slug), _) => bdi { (slug) },
                (None, Some(_)) => span.muted { (visit.t("credits.deleted")) },
                (None, None) => {},
            }
        },
        html! {
            @if let Some(note) = &entry.note { (quoted(note)) }
            @if let Some(job) = &entry.job_id { span.muted.small { (visit.t("credits.run")) " " code { (job) } } }
        },
        money(visit, entry.amount),
    ]
}

/// `GET /dashboard/@{handle}/-/credits/csv`
pub(super) async fn csv(visit: Visit) -> Result<PageResponse, ServiceError> {
    let mut errors = FieldErrors::default();
    let mut csv = Csv::new(&COLUMNS);
    let workspace = &visit.membership()?.workspace;
    let mut tx = visit.service.store.begin_read().await?;
    let mut wanted = filter(&visit, &mut tx, &mut errors).await?;
    if !errors.is_empty() {
        return Ok(page(&visit, &mut tx, &errors, LedgerPage::default(), None).await?.invalid());
    }
    while let Some(filter) = wanted.take() {
        let found = ledger::list(&mut tx, workspace, &filter, PIECE).await?;
        found.entries.iter().for_each(|entry| write(&mut csv, entry));
        if csv.is_too_large() {
            let notice = csv::too_large(&visit);
            return Ok(page(&visit, &mut tx, &errors, LedgerPage::default(), Some(&notice)).await?.invalid());
        }
        wanted = found.next.map(|next| LedgerFilter { cursor: Some(next), ..filter });
    }
    tx.rollback().await?;
    csv.download(&visit, "credits")
}

fn write(csv: &mut Csv, entry: &LedgerEntry) {
    let (time, exact) = (entry.created_at.to_string(), entry.amount.0.to_string());
    csv.row(&[
        Cell::Text(&time),
        Cell::Text(entry.kind.as_str()),
        Cell::Number(&decimal(entry.amount)),
        Cell::Number(&exact),
        Cell::Text(entry.project_slug.as_deref().unwrap_or_default()),
        Cell::Text(entry.job_id.as_ref().map_or("", |job| job.as_str())),
        Cell::Text(entry.note.as_deref().unwrap_or_default()),
        Cell::Text(&entry.id),
    ]);
}

/// An amount in credits as programs read it, with three decimals.
fn decimal(amount: Millicredits) -> String {
    let sign = if amount.0 < 0 { "-" } else { "" };
    let all = amount.0.unsigned_abs();
    format!("{sign}{}.{:03}", all / 1_000, all % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_files_have_three_decimals() {
        for (amount, written) in [(0, "0.000"), (1, "0.001"), (-250, "-0.250"), (-12_345, "-12.345"), (4_000, "4.000")]
        {
            assert_eq!(decimal(Millicredits(amount)), written);
        }
    }
}

//! Forms that narrow a list, and the days between which its entries lie.

use maud::{Markup, html};

use super::super::forms::{FieldErrors, Fields};
use super::super::visit::Visit;
use super::field::FormView;
use crate::clock::Timestamp;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// The beginning of the day `from` of a query, and the end of its day `to`.
pub(in crate::http::dashboard) fn days(
    query: &Fields,
    errors: &mut FieldErrors,
) -> (Option<Timestamp>, Option<Timestamp>) {
    let since = query.day("from", errors);
    (since, query.day("to", errors).map(|day| day.plus_millis(DAY)))
}

/// The form of a list at `path`: `fields`, which bear `names`, and the two days.
pub(in crate::http::dashboard) fn list_filter(
    visit: &Visit,
    form: &FormView<'_>,
    path: &str,
    names: &[&str],
    fields: &Markup,
) -> Markup {
    let is_filtered = names.iter().chain(&["from", "to"]).any(|name| !visit.query.value(name).is_empty());
    html! {
        form.card method="get" action=(path) novalidate {
            (form.summary_titled("common.filter-wrong"))
            div.filters {
                (fields)
                (form.field("from", "common.from").hint("common.day-hint").input("date"))
                (form.field("to", "common.to").hint("common.day-hint").input("date"))
            }
            div.form-end {
                button type="submit" { (visit.t("common.filter")) }
                @if is_filtered { a.button.secondary href=(path) { (visit.t("common.all")) } }
            }
        }
    }
}

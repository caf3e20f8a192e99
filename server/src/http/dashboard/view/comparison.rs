//! The part of a page that compares versions, or a version with what a publish would make live. It reads all their texts: of
//! a large project the page comes without it, and the script loads it afterwards. Without script a link leads to it.

use maud::{Markup, html};

use crate::domain::ServiceError;
use crate::http::dashboard::visit::Visit;

/// The name of the part.
pub(in crate::http::dashboard) const PART: &str = "comparison";
/// Most keys of a project whose pages come with the part.
const MOST_KEYS: i64 = 200;

/// Returns whether the page comes with the part: the project is small, or the URL asks for it.
pub(in crate::http::dashboard) fn is_made_now(visit: &Visit) -> Result<bool, ServiceError> {
    Ok(is_asked_for(visit) || visit.project()?.key_count <= MOST_KEYS)
}

/// Returns whether the URL asks for the part.
pub(in crate::http::dashboard) fn is_asked_for(visit: &Visit) -> bool {
    ["language", PART].iter().any(|name| visit.query.get(name).is_some())
}

/// Stands where the part will be.
pub(in crate::http::dashboard) fn made_later(visit: &Visit) -> Markup {
    html! {
        div.stack data-load=(PART) data-loading=(visit.t("comparison.loading")) data-failed=(visit.t("comparison.failed")) {
            p { a href={ (visit.path) (visit.query.with(PART, Some("shown"))) } { (visit.t("comparison.show")) } }
        }
    }
}

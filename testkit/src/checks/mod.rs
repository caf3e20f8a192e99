//! The checks: one table for each group of statements, and one list that names every table.

mod content;
mod dry_run;
mod errors;
mod flows;
mod limits;
mod operations;
mod push;
mod versioning;
mod webhooks;

use crate::check::Check;

/// Every table, by the group of its ids. A module that is not named here is not part of the suite.
const TABLES: &[(&str, &[Check])] = &[
    ("VER", versioning::CHECKS),
    ("WH-F", webhooks::fields::CHECKS),
    ("WH-F", webhooks::secrecy::CHECKS),
    ("WH-CR", webhooks::create::CHECKS),
    ("WH-LS", webhooks::list::CHECKS),
    ("WH-PA", webhooks::update::CHECKS),
    ("WH-PA", webhooks::other_project::CHECKS),
    ("WH-DE", webhooks::delete::CHECKS),
    ("WH-RO", webhooks::rotate::CHECKS),
    ("WH-DL", webhooks::log::CHECKS),
    ("WH-RS", webhooks::resend::CHECKS),
    ("WH-URL", webhooks::urls::SPELLING),
    ("WH-URL", webhooks::urls::ADDRESSES),
    ("WH-URL", webhooks::urls::DELIVERED),
    ("WH-URL", webhooks::urls::RESOLVED),
    ("WH-LIM", webhooks::limit::CHECKS),
    ("ERR", errors::CHECKS),
    ("LIM", limits::CHECKS),
    ("DRY", dry_run::CHECKS),
    ("OPS", operations::CHECKS),
    ("FN", flows::CHECKS),
];

/// Every check of the suite.
#[must_use]
pub fn all() -> Vec<&'static Check> {
    TABLES.iter().flat_map(|(_, table)| *table).collect()
}

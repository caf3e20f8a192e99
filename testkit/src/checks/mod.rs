//! The checks: one table for each group of statements, and one list that names every table.

mod additions;
mod arrival;
mod auth;
mod content;
mod content_events;
mod conventions;
mod deliveries;
mod delivery_log;
mod dry_run;
mod envelope;
mod errors;
mod events;
mod flows;
mod limits;
mod operations;
mod public;
mod push;
mod resources;
mod routes;
mod scope;
mod signature;
mod versioning;
mod webhooks;

use crate::check::Check;

/// Every table, by the group of its ids. A module that is not named here is not part of the suite.
const TABLES: &[(&str, &[Check])] = &[
    ("CONV", conventions::CHECKS),
    ("RES", resources::CHECKS),
    ("SCOPE", scope::CHECKS),
    ("PUB", public::CHECKS),
    ("AUTH", auth::CHECKS),
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
    ("WH-URL", webhooks::urls::spelling::CHECKS),
    ("WH-URL", webhooks::urls::addresses::CHECKS),
    ("WH-URL", webhooks::urls::delivered::CHECKS),
    ("WH-URL", webhooks::urls::resolved::CHECKS),
    ("WH-LIM", webhooks::limit::CHECKS),
    ("ERR", errors::CHECKS),
    ("LIM", limits::CHECKS),
    ("DRY", dry_run::CHECKS),
    ("OPS", operations::CHECKS),
    ("FN", flows::CHECKS),
    ("ADD", additions::CHECKS),
    ("DLV", delivery_log::CHECKS),
    ("EV", events::CHECKS),
    ("ENV", envelope::CHECKS),
    ("CP", content_events::CHECKS),
    ("SIG", signature::CHECKS),
    ("DEL", deliveries::answers::CHECKS),
    ("DEL", deliveries::times::CHECKS),
    ("DEL", deliveries::connections::CHECKS),
    ("DEL", deliveries::retries::CHECKS),
    ("DEL", deliveries::disabling::CHECKS),
    ("DEL", deliveries::restarts::CHECKS),
];

/// Every check of the suite.
#[must_use]
pub fn all() -> Vec<&'static Check> {
    TABLES.iter().flat_map(|(_, table)| *table).collect()
}

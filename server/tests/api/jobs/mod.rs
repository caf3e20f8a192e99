//! Registering, pricing, translating and reading strings, through the API on both engines.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod behaviours;
mod busy;
mod catalogues;
mod chains;
mod commits;
mod credits;
mod dry_run;
pub(crate) mod fixtures;
mod glossary_checks;
mod hints;
mod hostile;
mod import_states;
mod imports;
mod large;
mod large_imports;
mod large_run_races;
mod memory;
mod memory_files;
mod money;
mod pending;
mod people;
mod plurals;
mod prices;
mod project_engines;
mod provisioning;
mod reads;
mod runs;
mod search;
mod service_glossaries;
mod staging;
mod suggestions;
mod syntax;
mod tables;
mod together;
mod turns;
mod utf8;
mod workers;

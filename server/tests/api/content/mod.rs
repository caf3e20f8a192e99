//! Documents through the server on both engines.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batches;
mod budgets;
mod fixtures;
mod glossary;
mod hashes;
mod hostile;
mod lists;
mod publish_races;
mod publishes;
mod pushes;
mod reads;
mod rollbacks;
mod run_approvals;
mod run_budgets;
mod run_checks;
mod run_fixtures;
mod runs;

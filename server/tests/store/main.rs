//! The store on both engines.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod engine;
mod fixtures;
mod key_pages;
mod memory_lookups;
mod pgbouncer;
mod plans;
mod schema;
mod statements;
mod tables;
mod waiting;
mod workspace_months;

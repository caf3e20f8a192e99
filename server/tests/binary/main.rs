//! The binary `l10n-server`, run as people run it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod agents;
mod backups;
mod credits;
mod engines;
mod help;
mod interop;
mod killed;
mod large_runs;
mod one_server;
mod people;
mod process;
mod profile;
mod restarted;
mod secrets;
mod serving;
mod spenders;
mod tools;

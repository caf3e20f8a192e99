//! Captured keys and pending code changes, through the server on both engines.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod budget;
mod commands;
mod counters;
mod edits;
mod fixtures;
mod hostile;
mod keys;
mod orders;
mod renames;

//! The store on both engines.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod engine;
mod fixtures;
mod schema;
mod statements;
mod tables;

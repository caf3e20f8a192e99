//! The real binary against a real server.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod exit_codes;
mod journey;
mod offline;
mod output;
mod project;
mod receivers;
mod support;
mod terminal;
mod webhook_listen;
mod webhooks;

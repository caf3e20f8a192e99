//! The tools for AI agents that the server itself offers at `/mcp`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, its helpers too"
)]

mod agents;
mod bounds;
mod facts;
mod logs;
mod refusals;
mod support;
mod waits;

//! The way out on real sockets: endpoints that misbehave, certificates, name servers that lie, and a network namespace
//! in which every address of the world answers.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod answers;
mod certificates;
mod connections;
mod names;
mod namespace;
mod support;
mod timeouts;

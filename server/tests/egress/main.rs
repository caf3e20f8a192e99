//! The way out on real sockets: endpoints that misbehave, certificates, name servers that lie, and a network namespace
//! in which every address of the world answers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod certificates;
mod connections;
mod names;
mod patience;
mod support;

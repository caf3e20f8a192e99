//! The client against servers that behave, misbehave and break off.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, its helpers too")]

mod delivery;
mod errors;
mod exports;
mod idempotency;
mod in_process;
mod later_names;
mod limits;
mod newer_server;
mod operations;
mod outcomes;
mod pages;
mod real_server;
mod requests;
mod retries;
mod samples;
mod secrets;
mod support;
mod tls;
mod transport;
mod wait;
mod webhooks;

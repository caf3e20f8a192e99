//! The HTTP layer, over real connections, on both engines.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod access_log;
mod auth;
mod bodies;
mod budget;
mod connections;
mod conventions;
mod cors;
mod crowded;
mod expired;
mod framing;
mod glossary;
mod lifecycle;
mod probes;
mod resources;
mod rows;
mod shared_window;
mod slow_clients;
mod sweeps;
mod two_years;
mod work;

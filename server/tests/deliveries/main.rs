//! Events and their deliveries, from a publish to an endpoint, on both engines.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod attempts;
mod content;
mod datastore;
mod disabling;
mod events;
mod fixtures;
mod isolation;
mod kept;
mod metrics;
mod outage;
mod plan;
mod resends;
mod signatures;

//! The routes of webhooks and their delivery log, over real connections, on both engines. What the engine does with
//! deliveries is in `server/tests/deliveries`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod changes;
mod deletion;
mod hostile;
mod limit;
#[path = "../../egress/support/names.rs"]
#[expect(dead_code, reason = "the other half serves the tests of the way out")]
mod names;
mod registration;
mod rotation;
mod round_trip;
mod secrets;
mod support;
mod urls;

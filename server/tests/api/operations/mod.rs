//! Operations: what agents' keys ask for, what people decide, and that an approval is used once, on both engines.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod agents;
mod asking;
mod commands;
mod expiry;
mod model;
mod pages;
mod races;
mod refusals;
pub(crate) mod support;
mod using;
mod waiting;

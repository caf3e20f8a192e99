//! Conformance suite of the localization service's public API: tells whether a deployment keeps the specification.
//!
//! It is begun, not usable yet: [`checks`] says which numbered requirements the checks of each endpoint will cover.
//!
//! [`Receiver`] is an endpoint for webhooks that a test scripts, for the suite and for every other test of deliveries.

pub mod checks;
pub mod receiver;

pub use receiver::Receiver;

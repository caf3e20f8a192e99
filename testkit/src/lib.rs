//! Conformance suite of the localization service's public API: tells whether a deployment keeps the specification.
//!
//! It is begun, not usable yet: [`checks`] says which numbered requirements the checks of each endpoint will cover.

pub mod checks;

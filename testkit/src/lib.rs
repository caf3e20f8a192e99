//! Conformance suite of the localization service.

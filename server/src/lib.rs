//! Reference server of the localization service.

pub mod config;

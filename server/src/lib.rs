//! Reference server of the localization service.

pub mod clock;
pub mod config;
pub mod ids;
pub mod store;
pub mod formats;

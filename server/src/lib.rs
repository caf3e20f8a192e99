//! Reference server of the localization service.

pub mod clock;
pub mod config;
pub mod formats;
pub mod ids;
pub mod store;

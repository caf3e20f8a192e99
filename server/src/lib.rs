//! Reference server of the localization service.

pub mod clock;
pub mod config;
pub mod domain;
pub mod formats;
pub mod ids;
pub mod source_hash;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;

//! Reference server of the localization service.

pub mod app;
pub mod clock;
pub mod commands;
pub mod config;
pub mod deliveries_due;
pub mod delivery;
pub mod domain;
pub mod egress;
pub mod engines;
pub mod http;
pub mod ids;
#[cfg(any(feature = "lab", feature = "testing"))]
pub mod lab;
pub mod metrics;
pub mod open_files;
pub mod request_windows;
pub mod server_lock;
pub mod service;
pub mod signal;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
pub mod turns;
pub mod vault;
pub mod workers;

//! Configuration: flags over environment over file over defaults. `sections.rs` declares each setting once.

mod database_url;
mod declared;
mod error;
mod example;
mod load;
mod master_keys;
mod overrides;
mod secret;
mod sections;
mod settings;
mod values;

pub use database_url::DatabaseUrl;
pub use error::ConfigError;
pub use example::example;
pub use load::{Config, EngineName, LogFormat};
pub use overrides::Overrides;
pub use secret::SecretText;
pub use sections::{Delivery, Http, Limits, Pricing, Retention};
pub use settings::{Plan, Settings, Webhooks};

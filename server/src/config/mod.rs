//! Configuration: flags over environment over file over defaults, each setting declared once.

mod error;
mod file;
mod master_keys;
mod overrides;
mod resolve;
mod secret;
mod settings;

pub use error::ConfigError;
pub use file::{
    ConfigFile, HttpSection, LimitsSection, LogSection, PostgresSection, PricingSection, SecretsSection,
    WebhooksSection,
};
pub use overrides::Overrides;
pub use resolve::{Config, DatabaseUrl, EngineName, LogFormat};
pub use secret::SecretText;
pub use settings::{Http, Limits, Plan, Pricing, Retention, Settings, Webhooks};

//! Configuration: flags over environment over file over defaults, each setting declared once.

mod error;
mod file;
mod overrides;
mod resolve;
mod settings;

pub use error::ConfigError;
pub use file::{ConfigFile, LimitsSection, LogSection, PricingSection, WebhooksSection};
pub use overrides::Overrides;
pub use resolve::{Config, DatabaseUrl, EngineName, LogFormat};
pub use settings::{Limits, Plan, Pricing, Settings, Webhooks};

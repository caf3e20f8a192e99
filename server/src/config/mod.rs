//! Configuration: flags over environment over file over defaults. `sections/` declares each setting once.

mod database_url;
mod declared;
mod engine_key;
mod engine_table;
mod engines;
mod error;
mod example;
mod load;
mod master_keys;
mod oidc;
mod overrides;
mod place;
mod pricing;
mod secret;
mod sections;
mod settings;
mod values;

pub(crate) use database_url::DatabaseUrl;
pub(crate) use engine_key::EngineKey;
pub(crate) use engine_table::deepl_address;
pub(crate) use engines::{
    EngineKind, EngineNames, EngineSettings, EnginesSettings, Formality, GoogleProject, Model, OF_PROGRAMS, Remote,
    built_in,
};
pub(crate) use error::ConfigError;
pub(crate) use example::example;
pub use load::Config;
pub(crate) use load::LogFormat;
pub use oidc::Oidc;
pub use overrides::{Overrides, with_brief_help};
pub use pricing::{Pricing, Rate};
pub use secret::SecretText;
pub use sections::Retention;
pub(crate) use sections::{Http, Limits};
pub(crate) use settings::Webhooks;
pub use settings::{Plan, Settings};

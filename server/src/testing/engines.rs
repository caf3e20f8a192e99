//! Engines as the configuration makes them, before fakes of their services.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Config, EngineKey, EngineKind, EngineSettings, Overrides, Remote, SecretText};
use crate::engines::{EngineRegistry, Translator, engine, registry};

/// The engines of this configuration file.
pub fn configured_engines(file: &Path) -> EngineRegistry {
    let config = Config::load(&Overrides::of_file(file.to_owned())).expect("a configuration");
    registry(&config.engines)
}

/// An engine of the kind `deepl` with this name, whose service has this address and knows this key.
pub fn deepl(name: &str, address: &str, key: &str) -> Arc<dyn Translator> {
    let remote = Remote {
        address: address.to_owned(),
        key: Some(EngineKey { text: SecretText::from(key.to_owned()), file: None, variable: None }),
        timeout: Duration::from_secs(60),
        max_items: 50,
        max_characters: 50_000,
        at_once: 8,
    };
    let kind = EngineKind::DeepL { remote, formality: None, address_by_key: false };
    let settings = EngineSettings { name: name.to_owned(), kind, millicredits_per_character: None };
    engine(&settings, &Arc::default())
}

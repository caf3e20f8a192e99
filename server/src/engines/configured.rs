//! Engines as the configuration names them.

use std::sync::Arc;

use super::remote::{DeepL, LibreTranslate, OpenAi, Own};
use super::{Apertium, Engines, Exec, Identity, Limits, Pseudo, Translator};
use crate::config::{EngineKind, EngineSettings};

/// The engines that the setting `engine` names, in its order.
pub(crate) fn configured(settings: &[EngineSettings]) -> Engines {
    Engines::new(settings.iter().map(engine).collect())
}

/// One engine.
pub(crate) fn engine(settings: &EngineSettings) -> Arc<dyn Translator> {
    let name = &settings.name;
    match &settings.kind {
        EngineKind::Pseudo => Arc::new(Pseudo),
        EngineKind::Identity => Arc::new(Identity),
        EngineKind::Apertium { modes, timeout } => Arc::new(Apertium::new(name, modes, *timeout)),
        EngineKind::Exec { command, timeout, max_items, max_characters } => Arc::new(Exec {
            name: name.clone(),
            command: command.clone(),
            timeout: *timeout,
            limits: Limits::of(*max_items, *max_characters),
        }),
        EngineKind::LibreTranslate(remote) => Arc::new(LibreTranslate::new(name, remote.clone())),
        EngineKind::DeepL { remote, formality } => Arc::new(DeepL::new(name, remote.clone(), *formality)),
        EngineKind::OpenAi { remote, model } => Arc::new(OpenAi::new(name, remote.clone(), model.clone())),
        EngineKind::Http(remote) => Arc::new(Own::new(name, remote.clone())),
    }
}

//! Engines as the configuration names them.

use std::sync::Arc;

use super::remote::{
    Azure, DeepL, GoogleAdvanced, GoogleBasic, HttpEngine, LibreTranslate, OpenAi, RemoteEngine, TranslationService,
};
use super::{Apertium, BatchLimits, EngineRegistry, Engines, Exec, IdentityEngine, Pseudo, Translator};
use crate::config::{EngineKind, EngineSettings, EnginesSettings, Remote};

/// The engines that the setting `engine` names, in its order.
pub(crate) fn chosen(settings: &EnginesSettings) -> Engines {
    let key_variables = settings.key_variables();
    Engines::new(settings.chosen.iter().map(|chosen| engine(chosen, &key_variables)).collect())
}

/// All engines that a project may choose: those of the configuration, and those that need no table and can work.
pub(crate) fn registry(settings: &EnginesSettings) -> EngineRegistry {
    let key_variables = settings.key_variables();
    let made = |settings: &EngineSettings| engine(settings, &key_variables);
    let built_in = settings.built_in();
    let built_in = built_in.iter().map(made).filter(|engine| engine.problem().is_none());
    EngineRegistry::new(chosen(settings), settings.others.iter().map(made).chain(built_in).collect())
}

/// One engine. Its programs do not get the environment variables that have keys of engines.
pub(crate) fn engine(settings: &EngineSettings, key_variables: &Arc<[String]>) -> Arc<dyn Translator> {
    let name = &settings.name;
    match &settings.kind {
        EngineKind::Pseudo => Arc::new(Pseudo),
        EngineKind::Identity => Arc::new(IdentityEngine),
        EngineKind::Apertium { modes, timeout, at_once } => {
            Arc::new(Apertium::new(name, modes, *timeout).with_at_once(*at_once).without(key_variables))
        }
        EngineKind::Exec { command, timeout, max_items, max_characters, at_once } => Arc::new(Exec {
            name: name.clone(),
            command: command.clone(),
            timeout: *timeout,
            limits: BatchLimits::of(*max_items, *max_characters),
            at_once: *at_once,
            key_variables: Arc::clone(key_variables),
        }),
        EngineKind::LibreTranslate(remote) => over_http(name, remote, LibreTranslate),
        EngineKind::DeepL { remote, formality, address_by_key } => {
            over_http(name, remote, DeepL { formality: *formality, address_by_key: *address_by_key })
        }
        EngineKind::Google { remote, project: None } => over_http(name, remote, GoogleBasic),
        EngineKind::Google { remote, project: Some(project) } => {
            over_http(name, remote, GoogleAdvanced { project: project.clone() })
        }
        EngineKind::Azure { remote, region } => over_http(name, remote, Azure { region: region.clone() }),
        EngineKind::OpenAi { remote, model } => over_http(name, remote, OpenAi::new(model.clone())),
        EngineKind::Http(remote) => over_http(name, remote, HttpEngine),
    }
}

fn over_http(name: &str, remote: &Remote, service: impl TranslationService) -> Arc<dyn Translator> {
    Arc::new(RemoteEngine::new(name, remote, service))
}

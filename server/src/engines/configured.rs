//! Engines as the configuration names them.

use std::sync::Arc;

use super::remote::{Azure, DeepL, GoogleAdvanced, GoogleBasic, LibreTranslate, OpenAi, OverHttp, Own, Service};
use super::{Apertium, EngineRegistry, Engines, Exec, Identity, Limits, Pseudo, Translator};
use crate::config::{EngineKind, EngineSettings, EnginesSettings, Remote};

/// The engines that the setting `engine` names, in its order.
pub(crate) fn chosen(settings: &EnginesSettings) -> Engines {
    Engines::new(settings.chosen.iter().map(engine).collect())
}

/// All engines that a project may choose: those of the configuration, and those that need no table and can work.
pub(crate) fn registry(settings: &EnginesSettings) -> EngineRegistry {
    let built_in = settings.built_in();
    let built_in = built_in.iter().map(engine).filter(|engine| engine.problem().is_none());
    EngineRegistry::new(chosen(settings), settings.others.iter().map(engine).chain(built_in).collect())
}

/// One engine.
pub(crate) fn engine(settings: &EngineSettings) -> Arc<dyn Translator> {
    let name = &settings.name;
    match &settings.kind {
        EngineKind::Pseudo => Arc::new(Pseudo),
        EngineKind::Identity => Arc::new(Identity),
        EngineKind::Apertium { modes, timeout, at_once } => {
            Arc::new(Apertium::new(name, modes, *timeout).with_at_once(*at_once))
        }
        EngineKind::Exec { command, timeout, max_items, max_characters, at_once } => Arc::new(Exec {
            name: name.clone(),
            command: command.clone(),
            timeout: *timeout,
            limits: Limits::of(*max_items, *max_characters),
            at_once: *at_once,
        }),
        EngineKind::LibreTranslate(remote) => over_http(name, remote, LibreTranslate),
        EngineKind::DeepL { remote, formality } => over_http(name, remote, DeepL { formality: *formality }),
        EngineKind::Google { remote, project: None } => over_http(name, remote, GoogleBasic),
        EngineKind::Google { remote, project: Some(project) } => {
            over_http(name, remote, GoogleAdvanced { project: project.clone() })
        }
        EngineKind::Azure { remote, region } => over_http(name, remote, Azure { region: region.clone() }),
        EngineKind::OpenAi { remote, model } => over_http(name, remote, OpenAi::new(model.clone())),
        EngineKind::Http(remote) => over_http(name, remote, Own),
    }
}

fn over_http(name: &str, remote: &Remote, service: impl Service) -> Arc<dyn Translator> {
    Arc::new(OverHttp::new(name, remote, service))
}

//! The engines of `[engines.<name>]`, and those that the setting `engine` chooses.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::engine_table::{EngineTable, apertium};
use super::{ConfigError, EngineKey};

/// Requests at once of an engine on the same machine, unless it says otherwise.
pub(crate) const OF_PROGRAMS: usize = 2;

/// An engine, ready to be built.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EngineSettings {
    /// The name that the configuration gives it.
    pub(crate) name: String,
    /// Its kind, with what the kind takes.
    pub(crate) kind: EngineKind,
    /// Price of a character, where it has one of its own.
    pub(crate) millicredits_per_character: Option<i64>,
}

/// The kinds of engines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EngineKind {
    /// Accents and brackets: shows what is translatable and what breaks.
    Pseudo,
    /// Returns the text unchanged: for tests.
    Identity,
    /// Apertium on this machine.
    Apertium {
        /// The folder of its modes.
        modes: PathBuf,
        /// The time for a batch.
        timeout: Duration,
        /// Batches at once.
        at_once: usize,
    },
    /// A command of the operator's own.
    Exec {
        /// The program and its arguments.
        command: Vec<String>,
        /// The time for a batch.
        timeout: Duration,
        /// Most texts of a batch.
        max_items: usize,
        /// Most characters of a batch.
        max_characters: usize,
        /// Batches at once.
        at_once: usize,
    },
    /// A LibreTranslate server.
    LibreTranslate(Remote),
    /// DeepL.
    DeepL {
        /// The way to it.
        remote: Remote,
        /// `prefer_more` or `prefer_less`.
        formality: Option<Formality>,
        /// True if the plan of the key says which address it is; the one in `remote` is that of the key at the start.
        address_by_key: bool,
    },
    /// Google Cloud Translation.
    Google {
        /// The way to it.
        remote: Remote,
        /// The project that is asked over version 3 of the API; without one it is version 2.
        project: Option<GoogleProject>,
    },
    /// Azure Translator.
    Azure {
        /// The way to it.
        remote: Remote,
        /// The region of the resource that the key is of.
        region: Option<String>,
    },
    /// A chat model behind the API of OpenAI.
    OpenAi {
        /// The way to it.
        remote: Remote,
        /// The model, and the way to ask it.
        model: Model,
    },
    /// A service of the operator's own.
    Http(Remote),
}

/// The way to an engine over HTTP, and the largest batch that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remote {
    /// Its address, without a slash at its end.
    pub(crate) address: String,
    /// The key that it asks for.
    pub(crate) key: Option<EngineKey>,
    /// The time for an answer.
    pub(crate) timeout: Duration,
    /// Most texts of a batch.
    pub(crate) max_items: usize,
    /// Most characters of a batch.
    pub(crate) max_characters: usize,
    /// Requests at once.
    pub(crate) at_once: usize,
}

/// A project of Google Cloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GoogleProject {
    /// Its ID or number.
    pub(crate) name: String,
    /// The location that translates.
    pub(crate) location: String,
}

/// A chat model, and the way to ask it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Model {
    /// Its name.
    pub(crate) name: String,
    /// Its temperature, where that is not the model's own.
    pub(crate) temperature: Option<f64>,
    /// `max_tokens` of a request.
    pub(crate) max_tokens: Option<u32>,
    /// `max_completion_tokens` of a request.
    pub(crate) max_completion_tokens: Option<u32>,
    /// The header of the key, where it is not `Authorization`.
    pub(crate) key_header: Option<String>,
    /// The wishes for every translation, in words.
    pub(crate) instructions: Option<String>,
}

/// The form of address that translations prefer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Formality {
    /// The formal one.
    PreferMore,
    /// The informal one.
    PreferLess,
}

impl EngineKind {
    /// Its name in the configuration.
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Pseudo => "pseudo",
            Self::Identity => "identity",
            Self::Apertium { .. } => "apertium",
            Self::Exec { .. } => "exec",
            Self::LibreTranslate(_) => "libretranslate",
            Self::DeepL { .. } => "deepl",
            Self::Google { .. } => "google",
            Self::Azure { .. } => "azure",
            Self::OpenAi { .. } => "openai",
            Self::Http(_) => "http",
        }
    }

    /// The way to it, if it is asked over HTTP.
    const fn remote(&self) -> Option<&Remote> {
        match self {
            Self::Pseudo | Self::Identity | Self::Apertium { .. } | Self::Exec { .. } => None,
            Self::LibreTranslate(remote)
            | Self::DeepL { remote, .. }
            | Self::Google { remote, .. }
            | Self::Azure { remote, .. }
            | Self::OpenAi { remote, .. }
            | Self::Http(remote) => Some(remote),
        }
    }
}

/// The engines of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EnginesSettings {
    /// Those that translate, in the order in which they are asked.
    pub(crate) chosen: Vec<EngineSettings>,
    /// Those of the file that are not chosen.
    pub(crate) others: Vec<EngineSettings>,
}

impl EnginesSettings {
    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &EngineSettings> {
        self.chosen.iter().chain(&self.others)
    }

    /// The environment variables that keys stand in, which are not for the programs of other engines.
    pub(crate) fn key_variables(&self) -> Arc<[String]> {
        let keys = self.all().filter_map(|engine| engine.kind.remote()?.key.as_ref());
        keys.filter_map(|key| key.variable.clone()).collect()
    }

    /// The engines that need no table and are neither chosen nor have one.
    pub(crate) fn built_in(&self) -> Vec<EngineSettings> {
        let is_there = |name: &&str| self.all().any(|engine| engine.name == **name);
        BUILT_IN.iter().filter(|name| !is_there(name)).filter_map(|name| built_in(name)).collect()
    }
}

/// The setting `engine`, and the choice of a project: one name, or several with commas between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct EngineNames(Vec<String>);

impl EngineNames {
    /// The names, in their order.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.0
    }
}

impl TryFrom<String> for EngineNames {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return Err("it takes the name of an engine, or several with commas between them".to_owned());
        }
        match names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            Some((_, twice)) => Err(format!("it names `{twice}` twice")),
            None => Ok(Self(names)),
        }
    }
}

impl From<EngineNames> for String {
    fn from(names: EngineNames) -> Self {
        names.0.join(",")
    }
}

/// The names of the engines that need no table.
const BUILT_IN: [&str; 3] = ["pseudo", "identity", "apertium"];

/// The engine of this name that needs no table.
pub(crate) fn built_in(name: &str) -> Option<EngineSettings> {
    let kind = match name {
        "pseudo" => EngineKind::Pseudo,
        "identity" => EngineKind::Identity,
        "apertium" => apertium(None, None, None),
        _ => return None,
    };
    Some(EngineSettings { name: name.to_owned(), kind, millicredits_per_character: None })
}

/// Checks the tables and finds the engines that are chosen.
pub(super) fn engines(
    names: &EngineNames,
    tables: BTreeMap<String, EngineTable>,
) -> Result<EnginesSettings, ConfigError> {
    let mut known = BTreeMap::new();
    for (name, table) in tables {
        let settings = table.settings(&name)?;
        known.insert(name, settings);
    }
    let mut chosen = Vec::with_capacity(names.0.len());
    for name in &names.0 {
        let Some(settings) = known.remove(name).or_else(|| built_in(name)) else {
            let message = format!(
                "there is no engine `{name}`: it takes pseudo, identity, apertium, and the name of a table [engines.NAME] of \
                 the configuration file"
            );
            return Err(ConfigError::invalid("engine", message));
        };
        chosen.push(settings);
    }
    Ok(EnginesSettings { chosen, others: known.into_values().collect() })
}

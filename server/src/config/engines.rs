//! The engines of `[engines.<name>]`, and those that the setting `engine` chooses.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ConfigError;

/// The folder in which Debian's packages put the modes of Apertium.
const MODES: &str = "/usr/share/apertium/modes";

/// Seconds that an engine has for a batch where its table says nothing.
const TIMEOUT_SECONDS: u32 = 60;

/// Most characters of an engine's name.
const LONGEST_NAME: usize = 40;

/// An engine, ready to be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineSettings {
    /// The name that the configuration gives it.
    pub(crate) name: String,
    /// Its kind, with what the kind takes.
    pub(crate) kind: EngineKind,
}

/// The kinds of engines.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    },
}

impl EngineKind {
    /// Its name in the configuration.
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Pseudo => "pseudo",
            Self::Identity => "identity",
            Self::Apertium { .. } => "apertium",
            Self::Exec { .. } => "exec",
        }
    }
}

/// The engines of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EnginesSettings {
    /// Those that translate, in the order in which they are asked.
    pub(crate) chosen: Vec<EngineSettings>,
    /// Those of the file that are not chosen.
    pub(crate) others: Vec<EngineSettings>,
}

/// The setting `engine`: one name, or several with commas between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct EngineNames(Vec<String>);

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

/// A table `[engines.<name>]`. Each kind takes some of its settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineTable {
    kind: TableKind,
    modes: Option<PathBuf>,
    command: Option<Vec<String>>,
    timeout_seconds: Option<u32>,
    max_items: Option<u32>,
    max_characters: Option<u32>,
}

/// The kinds that tables have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TableKind {
    Apertium,
    Exec,
}

impl EngineTable {
    fn settings(mut self, name: &str) -> Result<EngineSettings, ConfigError> {
        let wrong = |setting: &str, message: &str| ConfigError::invalid(format!("engines.{name}.{setting}"), message);
        let sound =
            |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || "-_".contains(character);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(sound) {
            let message = format!("a name has up to {LONGEST_NAME} characters of a-z, 0-9, - and _");
            return Err(ConfigError::invalid(format!("engines.{name}"), message));
        }
        if matches!(name, "pseudo" | "identity") {
            return Err(ConfigError::invalid(
                format!("engines.{name}"),
                "this engine is built in; choose another name",
            ));
        }
        let timeout = match self.timeout_seconds.take().unwrap_or(TIMEOUT_SECONDS) {
            seconds @ 1..=600 => Duration::from_secs(seconds.into()),
            _ => return Err(wrong("timeout_seconds", "it takes 1 to 600")),
        };
        let kind = match self.kind {
            TableKind::Apertium => {
                let modes = self.modes.take().unwrap_or_else(|| MODES.into());
                EngineKind::Apertium { modes, timeout }
            }
            TableKind::Exec => {
                let command = self.command.take().filter(|words| words.first().is_some_and(|word| !word.is_empty()));
                let Some(command) = command else {
                    return Err(wrong("command", "the kind `exec` needs it: a list of the program and its arguments"));
                };
                let limit = |setting: &str, stated: Option<u32>, default: usize| match stated {
                    Some(0) => Err(wrong(setting, "it takes 1 and more")),
                    Some(most) => Ok(usize::try_from(most).unwrap_or(usize::MAX)),
                    None => Ok(default),
                };
                let max_items = limit("max_items", self.max_items.take(), 100)?;
                let max_characters = limit("max_characters", self.max_characters.take(), 20_000)?;
                EngineKind::Exec { command, timeout, max_items, max_characters }
            }
        };
        let left = [
            ("modes", self.modes.is_some()),
            ("command", self.command.is_some()),
            ("max_items", self.max_items.is_some()),
            ("max_characters", self.max_characters.is_some()),
        ];
        match left.into_iter().find(|(_, stated)| *stated) {
            Some((setting, _)) => Err(wrong(setting, &format!("the kind `{}` does not take it", kind.as_str()))),
            None => Ok(EngineSettings { name: name.to_owned(), kind }),
        }
    }
}

/// The engine of this name that needs no table.
pub(crate) fn built_in(name: &str) -> Option<EngineSettings> {
    let kind = match name {
        "pseudo" => EngineKind::Pseudo,
        "identity" => EngineKind::Identity,
        "apertium" => {
            EngineKind::Apertium { modes: MODES.into(), timeout: Duration::from_secs(TIMEOUT_SECONDS.into()) }
        }
        _ => return None,
    };
    Some(EngineSettings { name: name.to_owned(), kind })
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

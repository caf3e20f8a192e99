//! A table `[engines.<name>]`: what each kind of engine takes, with its defaults.

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use super::engines::{EngineKind, EngineSettings, Formality, GoogleProject, Model, OF_PROGRAMS, Remote};
use super::sections::MOST_MILLICREDITS;
use super::values::between;
use super::{ConfigError, EngineKey, SecretText};

/// The folder in which Debian's packages put the modes of Apertium.
const MODES: &str = "/usr/share/apertium/modes";

/// Time that an engine has for a batch where its table says nothing.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The same for a chat model, which takes longer.
const TIMEOUT_OF_A_MODEL: Duration = Duration::from_secs(180);

/// Requests at once of a service where its table says nothing.
const OF_SERVICES: usize = 8;

/// Most requests at once that a table may ask for.
const MOST_AT_ONCE: u32 = 64;

/// Most characters of an engine's name.
const LONGEST_NAME: usize = 40;

/// The settings of an engine. Each kind takes some of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineTable {
    kind: TableKind,
    millicredits_per_character: Option<i64>,
    modes: Option<PathBuf>,
    command: Option<Vec<String>>,
    timeout_seconds: Option<u32>,
    max_items: Option<u32>,
    max_characters: Option<u32>,
    at_once: Option<u32>,
    address: Option<String>,
    key_env: Option<String>,
    key_file: Option<PathBuf>,
    key_header: Option<String>,
    formality: Option<Formality>,
    project: Option<String>,
    location: Option<String>,
    region: Option<String>,
    model: Option<String>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    max_completion_tokens: Option<u32>,
    instructions: Option<String>,
}

/// The kinds that tables have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TableKind {
    Apertium,
    Exec,
    LibreTranslate,
    DeepL,
    Google,
    Azure,
    OpenAi,
    Http,
}

/// Apertium, with its defaults.
pub(super) fn apertium(modes: Option<PathBuf>, timeout: Option<Duration>, at_once: Option<usize>) -> EngineKind {
    EngineKind::Apertium {
        modes: modes.unwrap_or_else(|| MODES.into()),
        timeout: timeout.unwrap_or(TIMEOUT),
        at_once: at_once.unwrap_or(OF_PROGRAMS),
    }
}

impl EngineTable {
    /// The engine that the table describes.
    pub(super) fn settings(mut self, name: &str) -> Result<EngineSettings, ConfigError> {
        let sound =
            |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || "-_".contains(character);
        let wrong = |message: String| Err(ConfigError::invalid(format!("engines.{name}"), message));
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(sound) {
            return wrong(format!("a name has up to {LONGEST_NAME} characters of a-z, 0-9, - and _"));
        }
        if matches!(name, "pseudo" | "identity") {
            return wrong("this engine is built in; choose another name".to_owned());
        }
        let of_table =
            |InvalidSetting { setting, message }| ConfigError::invalid(format!("engines.{name}.{setting}"), message);
        let millicredits_per_character = self.price().map_err(of_table)?;
        let kind = self.kind().map_err(of_table)?;
        Ok(EngineSettings { name: name.to_owned(), kind, millicredits_per_character })
    }

    fn price(&mut self) -> Result<Option<i64>, InvalidSetting> {
        let price = self.millicredits_per_character.take();
        match price.map(|price| between::<0, MOST_MILLICREDITS, _>(&price)) {
            Some(Err(message)) => Err(InvalidSetting::new("millicredits_per_character", message)),
            Some(Ok(())) | None => Ok(price),
        }
    }

    fn kind(mut self) -> Result<EngineKind, InvalidSetting> {
        let timeout = match self.timeout_seconds.take() {
            None => None,
            Some(seconds @ 1..=600) => Some(Duration::from_secs(seconds.into())),
            Some(_) => return Err(InvalidSetting::new("timeout_seconds", "it takes 1 to 600")),
        };
        let at_once = match self.at_once.take() {
            None => None,
            Some(requests @ 1..=MOST_AT_ONCE) => Some(usize::try_from(requests).unwrap_or(usize::MAX)),
            Some(_) => return Err(InvalidSetting::new("at_once", format!("it takes 1 to {MOST_AT_ONCE}"))),
        };
        let kind = match self.kind {
            TableKind::Apertium => apertium(self.modes.take(), timeout, at_once),
            TableKind::Exec => {
                let command = self.command.take().filter(|words| words.first().is_some_and(|word| !word.is_empty()));
                let Some(command) = command else {
                    let message = "the kind `exec` needs it: a list of the program and its arguments";
                    return Err(InvalidSetting::new("command", message));
                };
                let (max_items, max_characters) = self.limits(100, 20_000)?;
                let (timeout, at_once) = (timeout.unwrap_or(TIMEOUT), at_once.unwrap_or(OF_PROGRAMS));
                EngineKind::Exec { command, timeout, max_items, max_characters, at_once }
            }
            TableKind::LibreTranslate => {
                EngineKind::LibreTranslate(self.remote(None, (timeout.unwrap_or(TIMEOUT), at_once), (25, 5_000))?)
            }
            TableKind::DeepL => {
                let mut remote = self.remote(Some(""), (timeout.unwrap_or(TIMEOUT), at_once), (50, 50_000))?;
                let key = remote.key.as_ref().ok_or_else(|| InvalidSetting::key("deepl"))?;
                let address_by_key = remote.address.is_empty();
                if address_by_key {
                    remote.address = deepl_address(&key.text).to_owned();
                }
                EngineKind::DeepL { remote, formality: self.formality.take(), address_by_key }
            }
            TableKind::Google => {
                let default = "https://translation.googleapis.com";
                let remote = self.remote(Some(default), (timeout.unwrap_or(TIMEOUT), at_once), (128, 5_000))?;
                remote.key.as_ref().ok_or_else(|| InvalidSetting::key("google"))?;
                EngineKind::Google { remote, project: self.project()? }
            }
            TableKind::Azure => {
                let default = "https://api.cognitive.microsofttranslator.com";
                let remote = self.remote(Some(default), (timeout.unwrap_or(TIMEOUT), at_once), (100, 10_000))?;
                remote.key.as_ref().ok_or_else(|| InvalidSetting::key("azure"))?;
                EngineKind::Azure { remote, region: named("region", self.region.take())? }
            }
            TableKind::OpenAi => {
                let is_default = self.address.is_none();
                let default = "https://api.openai.com/v1";
                let remote =
                    self.remote(Some(default), (timeout.unwrap_or(TIMEOUT_OF_A_MODEL), at_once), (25, 1_500))?;
                if is_default && remote.key.is_none() {
                    return Err(InvalidSetting::key("openai"));
                }
                EngineKind::OpenAi { remote, model: self.model()? }
            }
            TableKind::Http => {
                EngineKind::Http(self.remote(None, (timeout.unwrap_or(TIMEOUT), at_once), (100, 20_000))?)
            }
        };
        match self.left() {
            Some(setting) => {
                Err(InvalidSetting::new(&setting, format!("the kind `{}` does not take it", kind.as_str())))
            }
            None => Ok(kind),
        }
    }

    fn limits(&mut self, items: usize, characters: usize) -> Result<(usize, usize), InvalidSetting> {
        let limit = |setting: &str, stated: Option<u32>, default: usize| match stated {
            Some(0) => Err(InvalidSetting::new(setting, "it takes 1 and more")),
            Some(most) => Ok(usize::try_from(most).unwrap_or(usize::MAX)),
            None => Ok(default),
        };
        Ok((
            limit("max_items", self.max_items.take(), items)?,
            limit("max_characters", self.max_characters.take(), characters)?,
        ))
    }

    fn remote(
        &mut self,
        default: Option<&str>,
        (timeout, at_once): (Duration, Option<usize>),
        (items, characters): (usize, usize),
    ) -> Result<Remote, InvalidSetting> {
        let address = match self.address.take() {
            Some(address) => checked(&address)?,
            None => default.map(str::to_owned).ok_or_else(|| InvalidSetting::new("address", "this kind needs it"))?,
        };
        let key = match (self.key_env.take(), self.key_file.take()) {
            (Some(_), Some(_)) => {
                return Err(InvalidSetting::new(
                    "key_file",
                    "`key_env` is set, too: only one of them can have the key",
                ));
            }
            (Some(variable), None) => {
                Some(EngineKey::of_variable(&variable).map_err(|message| InvalidSetting::new("key_env", message))?)
            }
            (None, Some(path)) => {
                Some(EngineKey::of_file(&path).map_err(|message| InvalidSetting::new("key_file", message))?)
            }
            (None, None) => None,
        };
        let (max_items, max_characters) = self.limits(items, characters)?;
        let at_once = at_once.unwrap_or(OF_SERVICES);
        Ok(Remote { address, key, timeout, max_items, max_characters, at_once })
    }

    fn project(&mut self) -> Result<Option<GoogleProject>, InvalidSetting> {
        let location = named("location", self.location.take())?;
        match (named("project", self.project.take())?, location) {
            (Some(name), location) => {
                Ok(Some(GoogleProject { name, location: location.unwrap_or_else(|| "global".to_owned()) }))
            }
            (None, Some(_)) => Err(InvalidSetting::new("location", "it needs `project`, too")),
            (None, None) => Ok(None),
        }
    }

    fn model(&mut self) -> Result<Model, InvalidSetting> {
        let name = self.model.take().filter(|name| !name.is_empty());
        let name =
            name.ok_or_else(|| InvalidSetting::new("model", "the kind `openai` needs it: the name of a model"))?;
        let temperature = self.temperature.take();
        if temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
            return Err(InvalidSetting::new("temperature", "it takes 0 to 2"));
        }
        let key_header = self.key_header.take();
        if key_header.as_ref().is_some_and(|name| http::HeaderName::try_from(name).is_err()) {
            return Err(InvalidSetting::new("key_header", "it is not the name of a header"));
        }
        Ok(Model {
            name,
            temperature,
            max_tokens: self.max_tokens.take(),
            max_completion_tokens: self.max_completion_tokens.take(),
            key_header,
            instructions: self.instructions.take(),
        })
    }

    /// A setting that the kind has not taken.
    fn left(&self) -> Option<String> {
        let serde_json::Value::Object(settings) = serde_json::to_value(self).ok()? else { return None };
        settings.into_iter().find(|(name, value)| name != "kind" && !value.is_null()).map(|(name, _)| name)
    }
}

/// The address of DeepL's service for the plan of a key.
pub(crate) fn deepl_address(key: &SecretText) -> &'static str {
    // DeepL gives the keys of its free plan this ending.
    if key.expose().ends_with(":fx") { "https://api-free.deepl.com" } else { "https://api.deepl.com" }
}

/// A setting that is wrong.
struct InvalidSetting {
    setting: String,
    message: String,
}

impl InvalidSetting {
    fn new(setting: &str, message: impl Into<String>) -> Self {
        Self { setting: setting.to_owned(), message: message.into() }
    }

    fn key(kind: &str) -> Self {
        let message = format!("the kind `{kind}` needs a key: the name of an environment variable here, or `key_file`");
        Self::new("key_env", message)
    }
}

fn checked(address: &str) -> Result<String, InvalidSetting> {
    let wrong = |message: &str| InvalidSetting::new("address", format!("{message}, such as http://127.0.0.1:5000"));
    let url = Url::parse(address).map_err(|_| wrong("it takes a URL"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong("it takes a URL of http or https"));
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it takes a URL without a password, a query or a fragment"));
    }
    Ok(address.trim_end_matches('/').to_owned())
}

/// A name that goes into an address or a header.
fn named(setting: &str, name: Option<String>) -> Result<Option<String>, InvalidSetting> {
    let sound = |character: char| character.is_ascii_alphanumeric() || "-_.:".contains(character);
    match name {
        Some(name) if name.is_empty() || !name.chars().all(sound) => {
            Err(InvalidSetting::new(setting, "it takes characters of a-z, A-Z, 0-9, -, _, . and :"))
        }
        name => Ok(name),
    }
}

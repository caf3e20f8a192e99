//! Turns flags, environment and file into checked settings.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use confique::{Config as _, Layer as _};
use serde::{Deserialize, Deserializer};

use super::engines::{EnginesSettings, engines};
use super::master_keys::master_keys;
use super::oidc::oidc;
use super::place::{located, malformed};
use super::pricing::Pricing;
use super::sections::{DeclaredSettings, Metrics};
use super::values::BaseUrl;
use super::{ConfigError, DatabaseUrl, Overrides, Plan, Settings};

const DEFAULT_FILE: &str = "l10n-server.toml";

/// Settings stated in one place; a setting that is not stated is open.
type Layer = <DeclaredSettings as confique::Config>::Layer;

/// Settings of a server process, checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// URL of the database.
    pub database_url: DatabaseUrl,
    /// `true` if `database_url` was stated.
    pub database_url_stated: bool,
    /// Connections of a server process to PostgreSQL.
    pub postgres_connections: u32,
    /// Translation engines.
    pub(crate) engines: EnginesSettings,
    /// Address that serves `/metrics`; port 0 takes a free one.
    pub metrics_listen: Option<SocketAddr>,
    /// Form of log lines.
    pub log_format: LogFormat,
    /// Filter of log lines.
    pub log_level: String,
    /// Settings for rules and routes.
    pub settings: Settings,
    /// The files that have master keys: that of `secrets.master_key_file`, and the configuration file if it states some.
    pub master_key_files: Vec<PathBuf>,
    /// `true` if `base_url` was stated, rather than made from the address that the server listens on.
    pub base_url_stated: bool,
    /// `true` if `webhooks.allow_targets` was stated, even as empty.
    pub allow_targets_stated: bool,
}

/// Form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Human,
    /// A JSON object a line.
    Json,
}

impl Config {
    /// Reads the file that the overrides name (or `l10n-server.toml` where it exists) and checks everything.
    ///
    /// # Errors
    ///
    /// Names the first setting that is wrong, its place in the file, and the values that it takes.
    pub fn load(overrides: &Overrides) -> Result<Self, ConfigError> {
        let path = match &overrides.config {
            Some(path) => path,
            None if Path::new(DEFAULT_FILE).exists() => Path::new(DEFAULT_FILE),
            None => return Self::resolve(overrides, Layer::empty()),
        };
        let text =
            fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        Self::read(overrides, &text, path)
    }

    fn read(overrides: &Overrides, text: &str, path: &Path) -> Result<Self, ConfigError> {
        let layer = parse(text, path)?;
        let mut keys = layer.secrets.master_key.iter().chain(layer.secrets.previous_master_keys.iter().flatten());
        let has_keys = keys.any(|key| !key.expose().trim().is_empty());
        let mut config = Self::resolve(overrides, layer).map_err(|error| match &error {
            ConfigError::Invalid { setting, .. } if overrides.state(setting) => error,
            _ => located(error, text, path),
        })?;
        config.master_key_files.extend(has_keys.then(|| path.to_owned()));
        Ok(config)
    }

    /// Overrides over file over defaults.
    fn resolve(overrides: &Overrides, mut file: Layer) -> Result<Self, ConfigError> {
        let stated: Layer =
            deserialize(overrides.stated.clone()).map_err(|(setting, error)| invalid(setting, &error))?;
        // Stated beside each other, a key and a file would leave open which of them seals; where one is stated above the
        // other, it wins.
        if stated.secrets.master_key.is_some() || stated.secrets.master_key_file.is_some() {
            (file.secrets.master_key, file.secrets.master_key_file) = (None, None);
        }
        if stated.oidc.client_secret.is_some() || stated.oidc.client_secret_file.is_some() {
            (file.oidc.client_secret, file.oidc.client_secret_file) = (None, None);
        }
        let stated = stated.with_fallback(file);
        let database_url_stated = stated.database_url.is_some();
        let allow_targets_stated = stated.webhooks.allow_targets.is_some();
        let declared = complete(stated)?;
        let base_url_stated = !declared.base_url.0.is_empty();
        let DeclaredSettings { listen, base_url: BaseUrl(base_url), database_url, secrets, .. } = declared;
        let Metrics { listen: metrics_listen } = declared.metrics;
        let master_key_files = secrets.master_key_file.iter().cloned().collect();
        let engines = engines(&declared.engine, declared.engines)?;
        let settings = Settings {
            base_url: if base_url_stated { base_url } else { format!("http://{listen}/v1") },
            pricing: Pricing::new(&declared.pricing, &engines),
            limits: declared.limits,
            http: declared.http,
            delivery: declared.delivery,
            mcp: declared.mcp,
            webhooks: declared.webhooks.into(),
            retention: declared.retention,
            oidc: oidc(declared.oidc)?,
            master_keys: master_keys(secrets)?,
            plans: built_in_plans().chain(declared.plans).collect(),
        };
        Ok(Self {
            listen,
            database_url,
            database_url_stated,
            postgres_connections: declared.postgres.connections,
            engines,
            metrics_listen,
            log_format: declared.log.format,
            log_level: declared.log.level.0,
            settings,
            master_key_files,
            base_url_stated,
            allow_targets_stated,
        })
    }
}

/// The settings that hold where nothing is stated.
pub(super) fn defaults() -> Config {
    #[expect(clippy::expect_used, reason = "the declaration's own defaults; each test that takes them would show it")]
    Config::resolve(&Overrides::default(), Layer::empty()).expect("the defaults are settings")
}

fn complete(stated: Layer) -> Result<DeclaredSettings, ConfigError> {
    DeclaredSettings::from_layer(stated.with_fallback(Layer::default_values()))
        .map_err(|error| ConfigError::invalid("?", error.to_string()))
}

fn built_in_plans() -> impl Iterator<Item = (String, Plan)> {
    let free = Plan { keys: Some(100), languages: Some(3), documents: Some(10) };
    [("unlimited".to_owned(), Plan::default()), ("free".to_owned(), free)].into_iter()
}

/// Reads the text of a configuration file.
fn parse(text: &str, path: &Path) -> Result<Layer, ConfigError> {
    let wrong = |setting: Option<String>, error: &toml::de::Error| {
        let setting = setting.map(|setting| format!("setting `{setting}`: ")).unwrap_or_default();
        malformed(path, text, error.span().map_or(0, |span| span.start), setting, message(error))
    };
    let document = toml::Deserializer::parse(text).map_err(|error| wrong(None, &error))?;
    deserialize(document).map_err(|(setting, error)| wrong(Some(setting), &error))
}

/// Reads settings, or tells which one is wrong.
fn deserialize<'de, D>(deserializer: D) -> Result<Layer, (String, toml::de::Error)>
where
    D: Deserializer<'de, Error = toml::de::Error>,
{
    serde_path_to_error::deserialize(deserializer).map_err(|error| (error.path().to_string(), error.into_inner()))
}

fn invalid(setting: String, error: &toml::de::Error) -> ConfigError {
    ConfigError::invalid(setting, message(error))
}

/// An error's message in an operator's words, without the words that the declaration puts before a validator's message.
fn message(error: &toml::de::Error) -> String {
    let message = error.message();
    message
        .strip_prefix("config error: ")
        .unwrap_or(message)
        .trim_start_matches("validation failed: ")
        .replace("unknown variant", "unknown value")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::EngineKind;

    fn resolve(toml: &str) -> Result<Config, String> {
        Config::read(&Overrides::default(), toml, Path::new("l10n-server.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_wrong_setting_is_named_with_its_place() {
        let cases = [
            ("listen = \"nowhere\"", "line 1, column 10: setting `listen`: `nowhere` is not an address"),
            ("base_url = \"https://a.example/v2\"", "setting `base_url`: `https://a.example/v2` does not end in /v1"),
            ("database_url = \"mysql://root:hunter2@h/d\"", "setting `database_url`: it takes sqlite:PATH or"),
            ("engine = \"babel\"", "line 1, column 10: setting `engine`: there is no engine `babel`: it takes pseudo,"),
            ("engine = \"pseudo,,x\"", "setting `engine`: it takes the name of an engine, or several with commas"),
            ("engine = \"pseudo, pseudo\"", "setting `engine`: it names `pseudo` twice"),
            (
                "[engines.x]\nkind = \"babel\"",
                "line 2, column 8: setting `engines.x.kind`: unknown value `babel`, expected one of `apertium`, `exec`,",
            ),
            ("[engines.x]\nkind = \"exec\"", "line 1, column 1: setting `engines.x.command`: the kind `exec` needs it"),
            (
                "[engines.x]\nkind = \"apertium\"\nmax_items = 3",
                "line 3, column 13: setting `engines.x.max_items`: the kind `apertium` does not take it",
            ),
            (
                "[engines.x]\nkind = \"apertium\"\ntimeout_seconds = 0",
                "line 3, column 19: setting `engines.x.timeout_seconds`: it takes 1 to 600",
            ),
            ("[engines.pseudo]\nkind = \"apertium\"", "setting `engines.pseudo`: this engine is built in"),
            ("[engines.X]\nkind = \"apertium\"", "setting `engines.X`: a name has up to 40 characters of a-z"),
            (
                "[limits]\nrequests_per_minute = 0",
                "line 2, column 23: setting `limits.requests_per_minute`: 0 would refuse",
            ),
            ("[limits]\nkept_answer_bytes = 0", "setting `limits.kept_answer_bytes`: 0 is not between 262144 and"),
            ("[pricing]\nmillicredits_per_character = -1", "setting `pricing.millicredits_per_character`: -1 is not"),
            (
                "[webhooks]\nallow_targets = [\"10.0.0.0/33\"]",
                "setting `webhooks.allow_targets`: `10.0.0.0/33` is not a network",
            ),
            ("[webhooks]\ndeny_targets = [\"l10n.example\"]", "setting `webhooks.deny_targets`: `l10n.example` is no"),
            ("[http]\ntrusted_proxies = [\"proxy\"]", "setting `http.trusted_proxies`: `proxy` is not a network"),
            ("[http]\nmax_connections = 0", "setting `http.max_connections`: 0 would refuse"),
            ("[http]\nhead_timeout_seconds = 0", "setting `http.head_timeout_seconds`: 0 is not between 1 and 3600"),
            ("[postgres]\nconnections = 7", "setting `postgres.connections`: 7 is not between 8 and 1000"),
            ("[webhooks]\nslots = 0", "setting `webhooks.slots`: 0 is not between 1 and 4096"),
            ("[retention]\njobs_days = 40000", "setting `retention.jobs_days`: 40000 is not between 0 and 36500"),
            ("[retention]\nreceipts_days = 3", "setting `retention.receipts_days`: the API promises 7 days"),
            ("[metrics]\nlisten = \"9090\"", "setting `metrics.listen`: `9090` is not an address"),
            ("[log]\nformat = \"xml\"", "setting `log.format`: unknown value `xml`"),
            (
                "listen = \"127.0.0.1:1\"\nlisten_on = 3",
                "l10n-server.toml, line 2, column 1: setting `listen_on`: unknown field",
            ),
            (
                "[limits]\nrequests_per_minute = \"many\"",
                "line 2, column 23: setting `limits.requests_per_minute`: invalid type",
            ),
            ("listen = ", "l10n-server.toml, line 1, column"),
        ];
        for (toml, expected) in cases {
            let error = resolve(toml).map(|_| ()).unwrap_err();
            assert!(error.starts_with("l10n-server.toml, line ") && error.contains(expected), "{toml}: {error}");
            assert!(!error.contains("hunter2"));
        }
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let file = parse("listen = \"127.0.0.1:1\"\nengine = \"identity\"", Path::new("f")).unwrap();
        let flags = Overrides::default().or("listen", "127.0.0.1:2");
        let config = Config::resolve(&flags, file).unwrap();
        assert_eq!(config.listen.port(), 2);
        assert_eq!(config.engines.chosen[0].kind, EngineKind::Identity);
        assert_eq!(config.settings.base_url, "http://127.0.0.1:2/v1");
        assert_eq!(config.settings.limits.requests_per_minute, 120);
    }

    #[test]
    fn engines_are_chosen_in_their_order() {
        let file = "engine = \"mine, apertium\"\n[engines.mine]\nkind = \"exec\"\ncommand = [\"./mine\"]\n\
            [engines.spare]\nkind = \"apertium\"\nmodes = \"/opt/modes\"";
        let engines = resolve(file).unwrap().engines;
        let names = |of: &[super::super::EngineSettings]| -> Vec<String> {
            of.iter().map(|engine| format!("{}: {}", engine.name, engine.kind.as_str())).collect()
        };
        assert_eq!(names(&engines.chosen), ["mine: exec", "apertium: apertium"]);
        assert_eq!(names(&engines.others), ["spare: apertium"]);
        let flags = Overrides::default().or("engine", "nobody");
        let error = Config::read(&flags, file, Path::new("f")).unwrap_err().to_string();
        assert!(error.starts_with("setting `engine`: there is no engine `nobody`"), "{error}");
    }

    /// The example file is the declaration's own, and states the defaults.
    #[test]
    fn the_example_file_is_complete_and_shows_the_defaults() {
        let example = include_str!("../../l10n-server.example.toml");
        assert!(
            example == super::super::example(),
            "write it again: l10n-server example-config > server/l10n-server.example.toml"
        );
        let uncommented = example.replace("#: ", "");
        let stated = parse(&uncommented, Path::new("l10n-server.example.toml")).unwrap();
        let mut stated = Config::resolve(&Overrides::default(), stated).unwrap().settings;
        assert!(stated.plans.remove("team").is_some());
        assert_eq!(format!("{stated:?}"), format!("{:?}", Settings::default()));
    }
}

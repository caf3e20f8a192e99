//! From what was said in flags, environment and file to settings that hold.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;
use tracing_subscriber::EnvFilter;
use url::Url;

use super::master_keys::master_keys;
use crate::store::postgres;

use super::{ConfigError, ConfigFile, Overrides, SecretsSection, Settings};

const DEFAULT_FILE: &str = "l10n-server.toml";

/// Settings of a server process, checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where the data lies.
    pub database_url: DatabaseUrl,
    /// Connections of a server process, where the data lies in PostgreSQL.
    pub postgres_connections: u32,
    /// Engine that translates.
    pub engine: EngineName,
    /// Address that serves `/metrics`; port 0 takes a free one.
    pub metrics_listen: Option<SocketAddr>,
    /// Log lines for people or machines.
    pub log_format: LogFormat,
    /// What is logged.
    pub log_level: String,
    /// What rules and routes need to know.
    pub settings: Settings,
    /// The file that master keys were read from.
    pub master_key_file: Option<PathBuf>,
    /// Whether `base_url` was stated, rather than made from the address that the server listens on.
    pub base_url_stated: bool,
    /// Whether `webhooks.allow_targets` was stated: also where it was stated to be empty.
    pub allow_targets_stated: bool,
}

/// Least that `limits.kept_answer_bytes` takes: a few of the longest answers.
const LEAST_KEPT: u64 = 256 * 1024;

/// Where data are kept unless something else is stated.
const DEFAULT_DATABASE: &str = "sqlite:l10n-data/l10n.sqlite";

/// A database URL. Its Debug form hides the password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Of a SQLite file, which is made when missing.
    #[must_use]
    pub fn sqlite(path: &Path) -> Self {
        Self(format!("sqlite:{}", path.display()))
    }

    /// The URL with its password.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The file of an embedded database.
    #[must_use]
    pub fn sqlite_path(&self) -> Option<PathBuf> {
        let path = self.0.strip_prefix("sqlite:")?.trim_start_matches("//");
        Some(PathBuf::from(path.split_once('?').map_or(path, |(path, _)| path)))
    }

    /// Whether it is the one that is taken where none is stated.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0 == DEFAULT_DATABASE
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match Url::parse(&self.0) {
            Ok(mut url) if url.password().is_some() => {
                // A URL with a password has a host, so that the password can be replaced.
                let _ = url.set_password(Some("***"));
                f.write_str(url.as_str())
            }
            Ok(url) => f.write_str(url.as_str()),
            Err(_) => f.write_str("(no URL)"),
        }
    }
}

/// Engines that come with the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineName {
    /// Accents and brackets: shows what is translatable and what breaks.
    Pseudo,
    /// Gives the text back: for tests.
    Identity,
}

/// Form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Names the first setting that is wrong and what it takes.
    pub fn load(overrides: &Overrides) -> Result<Self, ConfigError> {
        let file = match &overrides.config {
            Some(path) => ConfigFile::read(path)?,
            None if Path::new(DEFAULT_FILE).exists() => ConfigFile::read(Path::new(DEFAULT_FILE))?,
            None => ConfigFile::default(),
        };
        Self::resolve(overrides, file)
    }

    /// Overrides over file over defaults.
    ///
    /// # Errors
    ///
    /// As [`Config::load`].
    pub fn resolve(overrides: &Overrides, file: ConfigFile) -> Result<Self, ConfigError> {
        let flags = overrides.clone();
        let listen = flags.listen.or(file.listen).unwrap_or_else(|| "127.0.0.1:8787".to_owned());
        let listen = address("listen", &listen)?;
        let metrics_listen = flags.metrics_listen.or(file.metrics.listen).filter(|text| !text.is_empty());
        let metrics_listen = metrics_listen.map(|text| address("metrics.listen", &text)).transpose()?;
        let stated = flags.base_url.or(file.base_url);
        let base_url_stated = stated.is_some();
        let base_url = base_url(stated.unwrap_or_else(|| format!("http://{listen}/v1")))?;
        let database_url = flags.database_url.or(file.database_url);
        let database_url = database(database_url.unwrap_or_else(|| DEFAULT_DATABASE.to_owned()))?;
        let engine = match flags.engine.or(file.engine).as_deref() {
            None | Some("pseudo") => EngineName::Pseudo,
            Some("identity") => EngineName::Identity,
            Some(other) => {
                return Err(ConfigError::invalid("engine", format!("`{other}` is none of pseudo, identity")));
            }
        };
        let log_format = match flags.log_format.or(file.log.format).as_deref() {
            None | Some("human") => LogFormat::Human,
            Some("json") => LogFormat::Json,
            Some(other) => return Err(ConfigError::invalid("log.format", format!("`{other}` is none of human, json"))),
        };
        let log_level = flags.log_level.or(file.log.level).unwrap_or_else(|| "info".to_owned());
        EnvFilter::try_new(&log_level).map_err(|error| ConfigError::invalid("log.level", error.to_string()))?;

        let mut settings = Settings { base_url, ..Settings::default() };
        if let Some(price) = flags.pricing_millicredits_per_character.or(file.pricing.millicredits_per_character) {
            if !(0..=1_000_000).contains(&price) {
                let message = format!("{price} is not between 0 and 1000000");
                return Err(ConfigError::invalid("pricing.millicredits_per_character", message));
            }
            settings.pricing.millicredits_per_character = price;
        }
        let limits = &mut settings.limits;
        limits.requests_per_minute = at_least_one(
            "limits.requests_per_minute",
            flags.limits_requests_per_minute.or(file.limits.requests_per_minute),
            limits.requests_per_minute,
        )?;
        limits.failed_authentications_per_minute = at_least_one(
            "limits.failed_authentications_per_minute",
            flags.limits_failed_authentications_per_minute.or(file.limits.failed_authentications_per_minute),
            limits.failed_authentications_per_minute,
        )?;
        limits.publishes_per_day = at_least_one(
            "limits.publishes_per_day",
            flags.limits_publishes_per_day.or(file.limits.publishes_per_day),
            limits.publishes_per_day,
        )?;
        limits.restores_per_day = at_least_one(
            "limits.restores_per_day",
            flags.limits_restores_per_day.or(file.limits.restores_per_day),
            limits.restores_per_day,
        )?;
        limits.captures_per_day = at_least_one(
            "limits.captures_per_day",
            flags.limits_captures_per_day.or(file.limits.captures_per_day),
            limits.captures_per_day,
        )?;
        limits.imports_per_day = at_least_one(
            "limits.imports_per_day",
            flags.limits_imports_per_day.or(file.limits.imports_per_day),
            limits.imports_per_day,
        )?;
        limits.runs_per_day = at_least_one(
            "limits.runs_per_day",
            flags.limits_runs_per_day.or(file.limits.runs_per_day),
            limits.runs_per_day,
        )?;
        if let Some(bytes) = flags.limits_kept_answer_bytes.or(file.limits.kept_answer_bytes) {
            if bytes < LEAST_KEPT {
                let message = format!("{bytes} has no room for a few answers; it takes {LEAST_KEPT} and more");
                return Err(ConfigError::invalid("limits.kept_answer_bytes", message));
            }
            limits.kept_answer_bytes = bytes;
        }
        let postgres_connections = match flags.postgres_connections.or(file.postgres.connections) {
            None => postgres::CONNECTIONS,
            Some(connections @ 8..=1_000) => connections,
            Some(other) => {
                let message = format!("{other} is not between 8 and 1000");
                return Err(ConfigError::invalid("postgres.connections", message));
            }
        };
        let trusted_proxies = flags.http_trusted_proxies.or(file.http.trusted_proxies);
        settings.http.trusted_proxies = networks("http.trusted_proxies", trusted_proxies)?;
        limits.large_requests = at_least_one(
            "limits.large_requests",
            flags.limits_large_requests.or(file.limits.large_requests),
            limits.large_requests,
        )?;
        limits.large_requests_waiting = at_least_one(
            "limits.large_requests_waiting",
            flags.limits_large_requests_waiting.or(file.limits.large_requests_waiting),
            limits.large_requests_waiting,
        )?;
        let http = &mut settings.http;
        http.max_connections = at_least_one(
            "http.max_connections",
            flags.http_max_connections.or(file.http.max_connections),
            http.max_connections,
        )?;
        http.max_connections_per_address = at_least_one(
            "http.max_connections_per_address",
            flags.http_max_connections_per_address.or(file.http.max_connections_per_address),
            http.max_connections_per_address,
        )?;
        for (setting, stated, least, time) in [
            (
                "http.head_timeout_seconds",
                flags.http_head_timeout_seconds.or(file.http.head_timeout_seconds),
                1,
                &mut http.head_timeout,
            ),
            (
                "http.body_timeout_seconds",
                flags.http_body_timeout_seconds.or(file.http.body_timeout_seconds),
                1,
                &mut http.body_timeout,
            ),
            (
                "http.write_timeout_seconds",
                flags.http_write_timeout_seconds.or(file.http.write_timeout_seconds),
                1,
                &mut http.write_timeout,
            ),
            ("http.drain_seconds", flags.http_drain_seconds.or(file.http.drain_seconds), 0, &mut http.drain),
        ] {
            *time = seconds(setting, stated, least, *time)?;
        }
        if let Some(bytes) = flags.delivery_cache_bytes.or(file.delivery.cache_bytes) {
            settings.delivery.cache_bytes = bytes;
        }
        let webhooks = &mut settings.webhooks;
        let allow_targets = flags.webhooks_allow_targets.or(file.webhooks.allow_targets);
        let allow_targets_stated = allow_targets.is_some();
        webhooks.egress.allow_targets = networks("webhooks.allow_targets", allow_targets)?;
        webhooks.egress.deny_targets =
            networks("webhooks.deny_targets", flags.webhooks_deny_targets.or(file.webhooks.deny_targets))?;
        let extra_ca = flags.webhooks_extra_ca.or(file.webhooks.extra_ca);
        webhooks.egress.extra_ca = extra_ca.filter(|path| !path.as_os_str().is_empty());
        for (setting, stated, slots) in [
            (
                "webhooks.slots_per_webhook",
                flags.webhooks_slots_per_webhook.or(file.webhooks.slots_per_webhook),
                &mut webhooks.slots_per_webhook,
            ),
            (
                "webhooks.slots_per_host",
                flags.webhooks_slots_per_host.or(file.webhooks.slots_per_host),
                &mut webhooks.slots_per_host,
            ),
            ("webhooks.slots", flags.webhooks_slots.or(file.webhooks.slots), &mut webhooks.slots),
        ] {
            *slots = number_of_slots(setting, stated, *slots)?;
        }
        let kept = &mut settings.retention;
        for (setting, stated, days) in [
            (
                "retention.receipts_days",
                flags.retention_receipts_days.or(file.retention.receipts_days),
                &mut kept.receipts_days,
            ),
            ("retention.jobs_days", flags.retention_jobs_days.or(file.retention.jobs_days), &mut kept.jobs_days),
            (
                "retention.unused_operations_days",
                flags.retention_unused_operations_days.or(file.retention.unused_operations_days),
                &mut kept.unused_operations_days,
            ),
            (
                "retention.used_operations_days",
                flags.retention_used_operations_days.or(file.retention.used_operations_days),
                &mut kept.used_operations_days,
            ),
            (
                "retention.captured_keys_days",
                flags.retention_captured_keys_days.or(file.retention.captured_keys_days),
                &mut kept.captured_keys_days,
            ),
            (
                "retention.document_sources_days",
                flags.retention_document_sources_days.or(file.retention.document_sources_days),
                &mut kept.document_sources_days,
            ),
            (
                "retention.segments_days",
                flags.retention_segments_days.or(file.retention.segments_days),
                &mut kept.segments_days,
            ),
            (
                "retention.memory_days",
                flags.retention_memory_days.or(file.retention.memory_days),
                &mut kept.memory_days,
            ),
            (
                "retention.versions_days",
                flags.retention_versions_days.or(file.retention.versions_days),
                &mut kept.versions_days,
            ),
            (
                "retention.deletion_grace_days",
                flags.retention_deletion_grace_days.or(file.retention.deletion_grace_days),
                &mut kept.deletion_grace_days,
            ),
        ] {
            *days = number_of_days(setting, stated, *days)?;
        }
        if (1..7).contains(&kept.receipts_days) {
            return Err(ConfigError::invalid(
                "retention.receipts_days",
                "the API promises 7 days; it takes 7 and more, or 0",
            ));
        }
        // Stated beside each other, a key and a file would leave open which of them seals; where one is stated above the
        // other, it wins.
        let (master_key, master_key_file) = match (flags.secrets_master_key, flags.secrets_master_key_file) {
            (None, None) => (file.secrets.master_key, file.secrets.master_key_file),
            stated => stated,
        };
        let read_from = master_key_file.clone().filter(|path| !path.as_os_str().is_empty());
        settings.master_keys = master_keys(SecretsSection {
            master_key,
            master_key_file,
            previous_master_keys: flags.secrets_previous_master_keys.or(file.secrets.previous_master_keys),
        })?;
        settings.plans.extend(file.plans);
        Ok(Self {
            listen,
            database_url,
            engine,
            metrics_listen,
            log_format,
            log_level,
            settings,
            master_key_file: read_from,
            postgres_connections,
            base_url_stated,
            allow_targets_stated,
        })
    }
}

fn address(setting: &'static str, text: &str) -> Result<SocketAddr, ConfigError> {
    let wrong = || format!("`{text}` is no address and port such as 127.0.0.1:8787 or [::]:80");
    text.parse().map_err(|_| ConfigError::invalid(setting, wrong()))
}

fn at_least_one(setting: &'static str, stated: Option<u32>, default: u32) -> Result<u32, ConfigError> {
    match stated {
        Some(0) => Err(ConfigError::invalid(setting, "0 would refuse every request; it takes 1 and more")),
        Some(value) => Ok(value),
        None => Ok(default),
    }
}

fn seconds(setting: &'static str, stated: Option<u32>, least: u32, default: Duration) -> Result<Duration, ConfigError> {
    match stated {
        None => Ok(default),
        Some(seconds) if (least..=3600).contains(&seconds) => Ok(Duration::from_secs(seconds.into())),
        Some(other) => Err(ConfigError::invalid(setting, format!("{other} is not between {least} and 3600"))),
    }
}

fn number_of_days(setting: &'static str, stated: Option<u32>, default: u32) -> Result<u32, ConfigError> {
    match stated.unwrap_or(default) {
        days @ 0..=36_500 => Ok(days),
        other => Err(ConfigError::invalid(setting, format!("{other} is not between 0 and 36500"))),
    }
}

fn number_of_slots(setting: &'static str, stated: Option<u32>, default: u32) -> Result<u32, ConfigError> {
    match stated.unwrap_or(default) {
        // Each attempt has an open file, and memory for an answer.
        slots @ 1..=4096 => Ok(slots),
        other => Err(ConfigError::invalid(setting, format!("{other} is not between 1 and 4096"))),
    }
}

/// Networks, and addresses as networks of one address.
fn networks(setting: &'static str, stated: Option<Vec<String>>) -> Result<Vec<IpNet>, ConfigError> {
    let stated = stated.unwrap_or_default();
    let stated = stated.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    stated
        .map(|text| {
            let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
            network.ok_or_else(|| {
                let message = format!("`{text}` is no network or address such as 10.1.0.0/16, 127.0.0.1 or fd00::/8");
                ConfigError::invalid(setting, message)
            })
        })
        .collect()
}

fn base_url(text: String) -> Result<String, ConfigError> {
    let text = text.trim_end_matches('/').to_owned();
    let wrong = |what: &str| {
        Err(ConfigError::invalid(
            "base_url",
            format!("`{text}` {what}; it takes a URL such as https://l10n.example.com/v1"),
        ))
    };
    match Url::parse(&text) {
        Err(_) => wrong("is no URL"),
        Ok(url) if !matches!(url.scheme(), "http" | "https") => wrong("is neither http nor https"),
        Ok(url) if url.query().is_some() || url.fragment().is_some() => wrong("has a query or a fragment"),
        Ok(url) if !url.path().ends_with("/v1") => wrong("does not end in /v1"),
        Ok(_) => Ok(text),
    }
}

fn database(text: String) -> Result<DatabaseUrl, ConfigError> {
    let known = ["sqlite:", "postgres://", "postgresql://"];
    if known.iter().any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty())) {
        return Ok(DatabaseUrl(text));
    }
    // The value may hold a password: it is not repeated.
    Err(ConfigError::invalid("database_url", "it takes sqlite:PATH or postgres://USER@HOST/DATABASE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(toml: &str) -> Result<Config, String> {
        ConfigFile::parse(toml, Path::new("l10n-server.toml"))
            .and_then(|file| Config::resolve(&Overrides::default(), file))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_wrong_setting_is_named_with_its_place() {
        let cases = [
            ("listen = \"nowhere\"", "setting `listen`: `nowhere` is no address"),
            ("base_url = \"https://a.example/v2\"", "setting `base_url`: `https://a.example/v2` does not end in /v1"),
            ("database_url = \"mysql://root:hunter2@h/d\"", "setting `database_url`: it takes sqlite:PATH or"),
            ("engine = \"babel\"", "setting `engine`: `babel` is none of pseudo, identity"),
            ("[limits]\nrequests_per_minute = 0", "setting `limits.requests_per_minute`: 0 would refuse"),
            ("[limits]\nkept_answer_bytes = 0", "setting `limits.kept_answer_bytes`: 0 has no room"),
            ("[pricing]\nmillicredits_per_character = -1", "setting `pricing.millicredits_per_character`: -1 is not"),
            (
                "[webhooks]\nallow_targets = [\"10.0.0.0/33\"]",
                "setting `webhooks.allow_targets`: `10.0.0.0/33` is no network",
            ),
            ("[webhooks]\ndeny_targets = [\"l10n.example\"]", "setting `webhooks.deny_targets`: `l10n.example` is no"),
            ("[http]\ntrusted_proxies = [\"proxy\"]", "setting `http.trusted_proxies`: `proxy` is no network"),
            ("[http]\nmax_connections = 0", "setting `http.max_connections`: 0 would refuse"),
            ("[http]\nhead_timeout_seconds = 0", "setting `http.head_timeout_seconds`: 0 is not between 1 and 3600"),
            ("[postgres]\nconnections = 7", "setting `postgres.connections`: 7 is not between 8 and 1000"),
            ("[webhooks]\nslots = 0", "setting `webhooks.slots`: 0 is not between 1 and 4096"),
            ("[retention]\njobs_days = 40000", "setting `retention.jobs_days`: 40000 is not between 0 and 36500"),
            ("[retention]\nreceipts_days = 3", "setting `retention.receipts_days`: the API promises 7 days"),
            ("[metrics]\nlisten = \"9090\"", "setting `metrics.listen`: `9090` is no address"),
            ("[log]\nformat = \"xml\"", "setting `log.format`"),
            (
                "listen = \"127.0.0.1:1\"\nlisten_on = 3",
                "l10n-server.toml, line 2, column 1: unknown field `listen_on`",
            ),
            ("[limits]\nrequests_per_minute = \"many\"", "l10n-server.toml, line 2, column 23: invalid type"),
        ];
        for (toml, expected) in cases {
            let error = resolve(toml).map(|_| ()).unwrap_err();
            assert!(error.starts_with(expected), "{toml}: {error}");
            assert!(!error.contains("hunter2"));
        }
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let file = ConfigFile::parse("listen = \"127.0.0.1:1\"\nengine = \"identity\"", Path::new("f")).unwrap();
        let flags = Overrides { listen: Some("127.0.0.1:2".to_owned()), ..Overrides::default() };
        let config = Config::resolve(&flags, file).unwrap();
        assert_eq!(config.listen.port(), 2);
        assert_eq!(config.engine, EngineName::Identity);
        assert_eq!(config.settings.base_url, "http://127.0.0.1:2/v1");
        assert_eq!(config.settings.limits.requests_per_minute, 120);
    }

    #[test]
    fn a_database_password_is_not_shown() {
        let url = DatabaseUrl("postgres://l10n:hunter2@db.example/l10n".to_owned());
        assert_eq!(format!("{url:?}"), "postgres://l10n:***@db.example/l10n");
    }

    /// The example file shows every setting with its default, commented out.
    #[test]
    fn the_example_file_is_complete_and_shows_the_defaults() {
        let example = include_str!("../../../l10n-server.example.toml");
        let uncommented: String = example
            .lines()
            .filter_map(|line| line.strip_prefix("#: ").or((!line.starts_with('#')).then_some(line)))
            .fold(String::new(), |text, line| text + line + "\n");
        let stated = ConfigFile::parse(&uncommented, Path::new("l10n-server.example.toml")).unwrap();
        let keys = |file: &ConfigFile| toml::Value::try_from(file).unwrap();
        let all = keys(&stated);
        for (section, expected) in [
            ("", 4 + 11),
            ("pricing", 1),
            ("limits", 10),
            ("http", 7),
            ("postgres", 1),
            ("delivery", 1),
            ("webhooks", 6),
            ("retention", 10),
            ("secrets", 3),
            ("metrics", 1),
            ("log", 2),
        ] {
            let table = if section.is_empty() { &all } else { &all[section] };
            assert_eq!(table.as_table().unwrap().len(), expected, "[{section}] of the example is not complete");
        }
        let default = Config::resolve(&Overrides::default(), ConfigFile::default()).unwrap();
        let mut stated = stated;
        stated.plans.clear();
        assert_eq!(
            format!("{:?}", Config::resolve(&Overrides::default(), stated).unwrap().settings),
            format!("{:?}", default.settings)
        );
    }
}

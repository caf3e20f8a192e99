//! The configuration file, `l10n-server.toml`. `l10n-server.example.toml` shows every setting with its default.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{ConfigError, Plan, SecretText};

/// What the file may say. Everything may be left out; a setting that does not exist is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// Address to listen on.
    pub listen: Option<String>,
    /// Address under which clients reach the API, ending in `/v1`.
    pub base_url: Option<String>,
    /// `sqlite:PATH` or `postgres://…`.
    pub database_url: Option<String>,
    /// Engine that translates.
    pub engine: Option<String>,
    /// Prices.
    #[serde(default)]
    pub pricing: PricingSection,
    /// Limits.
    #[serde(default)]
    pub limits: LimitsSection,
    /// PostgreSQL.
    #[serde(default)]
    pub postgres: PostgresSection,
    /// How clients reach the server.
    #[serde(default)]
    pub http: HttpSection,
    /// Delivery of published files.
    #[serde(default)]
    pub delivery: DeliverySection,
    /// Deliveries to webhooks.
    #[serde(default)]
    pub webhooks: WebhooksSection,
    /// How long records are kept.
    #[serde(default)]
    pub retention: RetentionSection,
    /// Secrets at rest.
    #[serde(default)]
    pub secrets: SecretsSection,
    /// Metrics.
    #[serde(default)]
    pub metrics: MetricsSection,
    /// Log.
    #[serde(default)]
    pub log: LogSection,
    /// Plans by name, beside `unlimited` and `free`.
    #[serde(default)]
    pub plans: BTreeMap<String, Plan>,
}

/// `[pricing]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PricingSection {
    /// Price of translating one Unicode scalar value of source text into one language.
    pub millicredits_per_character: Option<i64>,
}

/// `[limits]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsSection {
    /// Requests of a project in a window of 60 seconds.
    pub requests_per_minute: Option<u32>,
    /// Failed authentications of one client address in a window of 60 seconds.
    pub failed_authentications_per_minute: Option<u32>,
    /// Publishes of a project by API key in a day (UTC).
    pub publishes_per_day: Option<u32>,
    /// Restores of a project by API key in a day (UTC).
    pub restores_per_day: Option<u32>,
    /// New captured keys of a project in a day (UTC).
    pub captures_per_day: Option<u32>,
    /// Pushes of documents of a project in a day (UTC).
    pub imports_per_day: Option<u32>,
    /// Runs of documents of a project in a day (UTC).
    pub runs_per_day: Option<u32>,
    /// Bytes of answers that are kept of a project for repeated `Idempotency-Key`s.
    pub kept_answer_bytes: Option<u64>,
    /// Requests with bodies over 64 KiB that a server process works on at a time.
    pub large_requests: Option<u32>,
    /// Those that wait for their turn; more get 503.
    pub large_requests_waiting: Option<u32>,
}

/// `[postgres]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostgresSection {
    /// Connections of a server process.
    pub connections: Option<u32>,
}

/// `[http]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpSection {
    /// Networks and addresses of proxies whose word about a client's address is believed.
    pub trusted_proxies: Option<Vec<String>>,
    /// Connections of clients at a time.
    pub max_connections: Option<u32>,
    /// Connections of one client address at a time.
    pub max_connections_per_address: Option<u32>,
    /// Seconds until the head of a request has to be there, counted from the end of the request before.
    pub head_timeout_seconds: Option<u32>,
    /// Seconds for the body of a request.
    pub body_timeout_seconds: Option<u32>,
    /// Seconds for each 16 KiB of an answer to be taken.
    pub write_timeout_seconds: Option<u32>,
    /// Seconds between a signal to end and the end of new connections.
    pub drain_seconds: Option<u32>,
}

/// `[delivery]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeliverySection {
    /// Bytes of memory for contents of published files; 0 for none.
    pub cache_bytes: Option<u64>,
}

/// `[webhooks]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhooksSection {
    /// Networks and addresses that may be delivered to although they are not public.
    pub allow_targets: Option<Vec<String>>,
    /// Networks and addresses that may not be delivered to although they are public.
    pub deny_targets: Option<Vec<String>>,
    /// PEM file of certificates that are trusted beside the machine's; empty for none.
    pub extra_ca: Option<PathBuf>,
    /// Attempts at one webhook at a time.
    pub slots_per_webhook: Option<u32>,
    /// Attempts at one host at a time.
    pub slots_per_host: Option<u32>,
    /// Attempts of a server process at a time.
    pub slots: Option<u32>,
}

/// `[retention]`, in days.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetentionSection {
    /// Days that receipts of writes are kept, 0 for ever.
    pub receipts_days: Option<u32>,
    /// Days that ended translation jobs are kept, 0 for ever.
    pub jobs_days: Option<u32>,
    /// Days that operations are kept that expired unused, 0 for ever.
    pub unused_operations_days: Option<u32>,
    /// Days that used operations are kept, 0 for ever.
    pub used_operations_days: Option<u32>,
    /// Days that captured keys are kept that nobody has decided about, 0 for ever.
    pub captured_keys_days: Option<u32>,
    /// Days that replaced sources of documents are kept, 0 for ever.
    pub document_sources_days: Option<u32>,
    /// Days that texts are kept that no document has any more, with their translations, 0 for ever.
    pub segments_days: Option<u32>,
    /// Days that translation memory is kept after its last use, 0 for ever.
    pub memory_days: Option<u32>,
    /// Days that versions are kept that are not live, 0 for ever.
    pub versions_days: Option<u32>,
    /// Days in which a deletion of a project, workspace or document can be undone.
    pub deletion_grace_days: Option<u32>,
}

/// `[secrets]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecretsSection {
    /// Key that seals secrets: base64 of 32 bytes; empty for none.
    pub master_key: Option<SecretText>,
    /// File with that key, and on further lines keys that open alone; empty for none.
    pub master_key_file: Option<PathBuf>,
    /// Keys that open what they sealed before.
    pub previous_master_keys: Option<Vec<SecretText>>,
}

/// `[metrics]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsSection {
    /// Address that serves `/metrics`; empty for none.
    pub listen: Option<String>,
}

/// `[log]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSection {
    /// `human` or `json`.
    pub format: Option<String>,
    /// Filter such as `info` or `info,sqlx=warn`.
    pub level: Option<String>,
}

impl ConfigFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no TOML, or holds what is no setting; with line and column.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    pub(super) fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = &text[..error.span().map_or(0, |span| span.start).min(text.len())];
            ConfigError::Malformed {
                path: path.to_owned(),
                line: before.matches('\n').count() + 1,
                column: before.chars().rev().take_while(|character| *character != '\n').count() + 1,
                message: error.message().to_owned(),
            }
        })
    }
}

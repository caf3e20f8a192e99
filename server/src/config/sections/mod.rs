//! The settings, each declared once: its name, what it does, its default and what it takes.
//!
//! Flags, environment variables, the configuration file, `--help` and the example file all come from here. A field's
//! first sentence is its help text.

mod http;
mod limits;
mod oidc;
mod retention;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use confique::Config;
use ipnet::IpNet;

pub(crate) use self::http::Http;
pub(crate) use self::limits::Limits;
pub(crate) use self::oidc::OidcSection;
pub use self::retention::Retention;
use super::engine_table::EngineTable;
use super::engines::EngineNames;
use super::values::{BaseUrl, LogFilter, address, between, networks, optional_address, optional_path, origins};
use super::{DatabaseUrl, LogFormat, Plan, SecretText};

/// Everything that an operator can set.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct DeclaredSettings {
    /// Address to listen on. Put a proxy that speaks TLS in front of it, and let nothing else reach it.
    #[config(default = "127.0.0.1:8787", deserialize_with = address)]
    pub(super) listen: SocketAddr,
    /// URL under which clients reach the API, ending in /v1. Manifests name files by it. Empty: http://LISTEN/v1.
    #[config(default = "")]
    pub(super) base_url: BaseUrl,
    /// Database: sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE. A SQLite file is created when missing and serves
    /// one server process; PostgreSQL serves any number. Prefer the environment for a password.
    #[config(default = "sqlite:l10n-data/l10n.sqlite")]
    pub(super) database_url: DatabaseUrl,
    /// Translation engine: pseudo, identity, apertium, or the name of a table [engines.NAME] below. pseudo adds accents,
    /// brackets and a third of length, to show in an app what is translatable and what breaks. identity returns each text
    /// unchanged, for tests. apertium translates on this machine with what is installed there. Several names with commas
    /// between them make a chain: what one engine cannot do the next is asked for.
    #[config(default = "pseudo")]
    pub(super) engine: EngineNames,
    #[config(nested)]
    pub(super) pricing: PricingSection,
    #[config(nested)]
    pub(super) limits: Limits,
    #[config(nested)]
    pub(super) postgres: Postgres,
    #[config(nested)]
    pub(super) http: Http,
    #[config(nested)]
    pub(super) delivery: Delivery,
    #[config(nested)]
    pub(super) mcp: Mcp,
    #[config(nested)]
    pub(super) webhooks: WebhooksSection,
    #[config(nested)]
    pub(super) retention: Retention,
    #[config(nested)]
    pub(super) secrets: Secrets,
    #[config(nested)]
    pub(super) oidc: OidcSection,
    #[config(nested)]
    pub(super) metrics: Metrics,
    #[config(nested)]
    pub(super) log: Log,
    /// Engines that translate. The setting `engine` above chooses among them by name. Kinds: `apertium` (a folder of `modes`),
    /// `exec` (the program and its arguments as `command`), and those over HTTP: `deepl`, `google` (with a `project` for
    /// version 3), `azure` (with a `region`), `libretranslate`, `openai` (with a `model`) and `http`, with an `address`, and
    /// the key in the environment variable `key_env` or in `key_file`. Each but
    /// `apertium` takes `max_items` and `max_characters` of a batch, and all take `timeout_seconds`, `at_once` (requests under way
    /// at once in one process: 8 to services, 2 to `apertium` and `exec`) and a price, `millicredits_per_character`. See
    /// docs/engines.md.
    ///
    /// [engines.offline]
    /// kind = "apertium"
    /// modes = "/usr/share/apertium/modes"
    ///
    /// [engines.mine]
    /// kind = "exec"
    /// command = ["/usr/local/bin/translate", "--json"]
    /// timeout_seconds = 60
    ///
    /// [engines.model]
    /// kind = "openai"
    /// address = "http://127.0.0.1:11434/v1"
    /// model = "qwen3:8b"
    /// at_once = 4
    #[config(default = {})]
    pub(super) engines: BTreeMap<String, EngineTable>,
    /// Plans limit what a project may hold; a plan has no limit for what it does not name. `unlimited` (the default
    /// of a workspace) and `free` (100 keys, 3 languages, 10 documents) are built in. A plan of your own:
    ///
    /// [plans.team]
    /// keys = 20000
    /// languages = 20
    /// documents = 500
    #[config(default = {})]
    pub(super) plans: BTreeMap<String, Plan>,
}

/// Prices of work.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct PricingSection {
    /// Price of translating one character into one language, in thousandths of a credit. A character is a Unicode
    /// scalar value of source text. Memory hits and unchanged keys are free. An engine may have a price of its own:
    /// `millicredits_per_character` in its table.
    #[config(default = 1, validate = between::<0, MOST_MILLICREDITS, _>)]
    pub(super) millicredits_per_character: i64,
}

/// The highest price of a character.
pub(super) const MOST_MILLICREDITS: i128 = 1_000_000;

/// Connections to PostgreSQL.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct Postgres {
    /// Connections of each server process to PostgreSQL. PostgreSQL allows 100 in all by default. Three tenths are for
    /// short lookups such as API keys; reads and writes share the others.
    #[config(default = 20, validate = between::<8, 1_000, _>)]
    pub(super) connections: u32,
}

/// Delivery of published files.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub struct Delivery {
    /// Bytes of memory for published files, plain and compressed, and for which version is live. Files in memory are read
    /// from the database and compressed once. Each server process has its own, which learns within half a second of what
    /// another one publishes. 0: none; each read then goes to the database.
    #[config(default = 67_108_864)]
    pub cache_bytes: u64,
}

/// Tools for AI agents, over the Model Context Protocol (streamable HTTP). Each request brings an API key, as the API takes it,
/// and its calls count as that key's calls of the API.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub struct Mcp {
    /// Offers the tools at /mcp, beside the API. Requests must name the host of `base_url` or this machine: let a proxy pass
    /// the Host header on.
    #[config(default = false)]
    pub enabled: bool,
    /// Origins of pages that may call the tools from a browser, such as ["https://tools.example.com"]. Pages of other origins
    /// are refused; programs send no origin.
    #[config(default = [], deserialize_with = origins)]
    pub allowed_origins: Vec<String>,
}

/// Deliveries to webhooks.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct WebhooksSection {
    /// Networks or addresses that deliveries may go to although they are not public, such as ["10.1.0.0/16"]. Anyone who
    /// may register a webhook can then reach every https server in them, and read the first 2 KiB of each answer in
    /// the dashboard. Left out, `l10n-server dev` also delivers to this machine; stated as empty, it does not.
    #[config(default = [], deserialize_with = networks)]
    pub(super) allow_targets: Vec<IpNet>,
    /// Networks or addresses that deliveries may not go to although they are public. Name the public addresses of this
    /// deployment here. They win over `allow_targets`.
    #[config(default = [], deserialize_with = networks)]
    pub(super) deny_targets: Vec<IpNet>,
    /// PEM file of certificates that deliveries trust in addition to this machine's. Empty: none.
    #[config(default = "", deserialize_with = optional_path)]
    pub(super) extra_ca: OptionalPath,
    /// Simultaneous attempts at one webhook. An endpoint that hangs holds its own slots for up to 15 seconds and nobody
    /// else's. Each attempt takes an open file, and memory for an answer.
    #[config(default = 16, validate = between::<1, 4096, _>)]
    pub(super) slots_per_webhook: u32,
    /// Simultaneous attempts at one host, whoever owns the webhooks. One workspace gets at most half of those that others leave.
    #[config(default = 64, validate = between::<1, 4096, _>)]
    pub(super) slots_per_host: u32,
    /// Simultaneous attempts of this server process. One workspace gets at most half of those that others leave.
    #[config(default = 256, validate = between::<1, 4096, _>)]
    pub(super) slots: u32,
    /// Webhooks of a project up to which people make more in the dashboard. The API makes none where a project has five,
    /// whoever made these.
    #[config(default = 20, validate = between::<5, 100, _>)]
    pub(super) most_per_project: u32,
}

/// Secrets at rest.
#[derive(Debug, Clone, Default, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct Secrets {
    /// Key that seals the secrets of webhooks in the database: the base64 of 32 random bytes. `l10n-server secrets
    /// new-key` prints one. `serve` needs one; `dev` makes one. Prefer the environment
    /// (L10N_SERVER_SECRETS_MASTER_KEY) or a file. Store it apart from the database and its backups.
    #[config(default = "")]
    pub(super) master_key: SecretText,
    /// File with the master key. Further lines are keys that do not seal but open.
    #[config(default = "", deserialize_with = optional_path)]
    pub(super) master_key_file: OptionalPath,
    /// Keys that do not seal but open. To replace the key: add the new one here, or as a further line of the file, and
    /// restart every server. Then make it the master key, keep the old one here, restart again, run `l10n-server secrets
    /// reseal`, and remove the old one. With a single server, one restart is enough.
    #[config(default = [])]
    pub(super) previous_master_keys: Vec<SecretText>,
}

/// Metrics of the server process.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct Metrics {
    /// Address that serves /metrics to Prometheus, such as "127.0.0.1:9187". It asks for no key: keep it private. Empty:
    /// none.
    #[config(default = "", deserialize_with = optional_address)]
    pub(super) listen: OptionalAddress,
}

/// The server's log.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct Log {
    /// Form of log lines: human, or json for one object a line.
    #[config(default = "human")]
    pub(super) format: LogFormat,
    /// Log filter: error, warn, info, debug or trace, also by module, such as "info,sqlx=warn".
    #[config(default = "info")]
    pub(super) level: LogFilter,
}

/// A path, or none where the setting is empty. Named, since the declaration takes a bare `Option` for one without default.
pub(super) type OptionalPath = Option<PathBuf>;

/// An address, or none where the setting is empty.
pub(super) type OptionalAddress = Option<SocketAddr>;

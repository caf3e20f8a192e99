//! The settings, each declared once: its name, what it does, its default and what it takes.
//!
//! Flags, environment variables, the configuration file, `--help` and the example file all come from here. A field's
//! first sentence is its help text.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use confique::Config;
use ipnet::IpNet;

use super::engine_table::EngineTable;
use super::engines::EngineNames;
use super::values::{
    BaseUrl, LogFilter, address, at_least_one, between, domains, issuer, networks, optional_address, optional_path,
    origins,
};
use super::{DatabaseUrl, LogFormat, Plan, SecretText};

/// Everything that an operator can set.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct Declared {
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

/// Limits of requests and of work.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub struct Limits {
    /// Requests of a project in a window of 60 seconds. Further requests get 429. The specification says 120 (§8).
    #[config(default = 120, validate = at_least_one)]
    pub requests_per_minute: u32,
    /// Failed authentications of one client address in a window of 60 seconds. Further failures get 429. They never use
    /// up a project's budget. Behind a proxy all clients share its address, unless `trusted_proxies` names the proxy.
    #[config(default = 600, validate = at_least_one)]
    pub failed_authentications_per_minute: u32,
    /// Publishes of a project by API key in a day (UTC). Further publishes get 429. The specification says 30.
    #[config(default = 30, validate = at_least_one)]
    pub publishes_per_day: u32,
    /// Restores of a project by API key in a day (UTC). Further restores get 429. The specification says 30.
    #[config(default = 30, validate = at_least_one)]
    pub restores_per_day: u32,
    /// New captured keys of a project in a day (UTC). A call that reports more gets 429. The specification says 5,000.
    #[config(default = 5_000, validate = at_least_one)]
    pub captures_per_day: u32,
    /// Documents that a project may push in a day (UTC). Further pushes get 429. The specification says 500.
    #[config(default = 500, validate = at_least_one)]
    pub imports_per_day: u32,
    /// Document runs of a project in a day (UTC). Further runs get 429. The specification says 500.
    #[config(default = 500, validate = at_least_one)]
    pub runs_per_day: u32,
    /// Bytes of answers kept per project for repeated Idempotency-Keys. Answers are kept for a day. Above this size the
    /// oldest are dropped early; a write whose answer was dropped is still not done twice.
    #[config(default = 16_777_216, validate = between::<262_144, { i64::MAX as i128 }, _>)]
    pub kept_answer_bytes: u64,
    /// Requests with bodies over 64 KiB that a server process works on at a time. Each takes up to 50 times its body in
    /// memory. Answers with more than 4 MiB of files' contents are worked on with them. The others wait for their turn,
    /// workspace by workspace; where no other workspace waits, one may have all turns.
    #[config(default = 2, validate = at_least_one)]
    pub large_requests: u32,
    /// Requests with bodies over 64 KiB that may wait for their turn. Bodies that are still being read count with them. Further
    /// ones get 503. One workspace gets at most half of these places.
    #[config(default = 24, validate = at_least_one)]
    pub large_requests_waiting: u32,
    /// Bytes of answers over 64 KiB that a server process holds until clients have read them. One workspace gets at most half
    /// of them. Public files may take the same number again, beyond `delivery.cache_bytes`; one client address gets at most
    /// half of that. Further such requests get 503.
    #[config(default = 134_217_728, validate = between::<16_777_216, { i64::MAX as i128 }, _>)]
    pub unsent_answer_bytes: u64,
}

/// Connections to PostgreSQL.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct Postgres {
    /// Connections of each server process to PostgreSQL. PostgreSQL allows 100 in all by default. Three tenths are for
    /// short lookups such as API keys; reads and writes share the others.
    #[config(default = 20, validate = between::<8, 1_000, _>)]
    pub(super) connections: u32,
}

/// Connections of clients.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub struct Http {
    /// Networks or addresses of trusted proxies, such as ["10.0.0.0/8"]. The server believes what they say about a
    /// client's address in X-Forwarded-For or Forwarded, and ignores these headers from anybody else. Without this
    /// setting, all clients behind a proxy share its address.
    #[config(default = [], deserialize_with = networks)]
    pub trusted_proxies: Vec<IpNet>,
    /// Connections of clients at a time. Beyond them each request is answered with 503, except health checks. The
    /// server raises its limit of open files as far as the system allows, and accepts fewer connections where that
    /// does not suffice.
    #[config(default = 4096, validate = at_least_one)]
    pub max_connections: u32,
    /// Connections of one client address at a time. Beyond them each request is answered with 429. For IPv6 the limit
    /// counts the whole /64 network. It does not apply to trusted proxies.
    #[config(default = 256, validate = at_least_one)]
    pub max_connections_per_address: u32,
    /// Seconds a client has to send the head of a request. They count from the end of the request before, so that idle
    /// connections end as well.
    #[config(default = 60, validate = between::<1, 3600, _>)]
    pub head_timeout_seconds: u32,
    /// Seconds a client has to send the body of a request.
    #[config(default = 60, validate = between::<1, 3600, _>)]
    pub body_timeout_seconds: u32,
    /// Seconds a client may fall behind an average of 16 KiB a second while an answer waits for it. The connection of a
    /// slower one is closed.
    #[config(default = 30, validate = between::<1, 3600, _>)]
    pub write_timeout_seconds: u32,
    /// Seconds between a termination signal and the refusal of new connections. Meanwhile /readyz answers 503 and
    /// everything else is served, so that a load balancer can take the server out first.
    #[config(default = 0, validate = between::<0, 3600, _>)]
    pub drain_seconds: u32,
}

impl Http {
    pub(crate) fn head_timeout(&self) -> Duration {
        Duration::from_secs(self.head_timeout_seconds.into())
    }

    pub(crate) fn body_timeout(&self) -> Duration {
        Duration::from_secs(self.body_timeout_seconds.into())
    }

    pub(crate) fn write_timeout(&self) -> Duration {
        Duration::from_secs(self.write_timeout_seconds.into())
    }

    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_seconds.into())
    }
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
    /// Simultaneous attempts at one host, whoever owns the webhooks.
    #[config(default = 64, validate = between::<1, 4096, _>)]
    pub(super) slots_per_host: u32,
    /// Simultaneous attempts of this server process.
    #[config(default = 256, validate = between::<1, 4096, _>)]
    pub(super) slots: u32,
    /// Webhooks of a project up to which people make more in the dashboard. The API makes none where a project has five,
    /// whoever made these.
    #[config(default = 20, validate = between::<5, 100, _>)]
    pub(super) most_per_project: u32,
}

/// Retention of records, in days; 0 for ever. Records are deleted in small batches. The ledger is always kept, and
/// so are the last 50 deliveries of a webhook.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub struct Retention {
    /// Days to keep receipts of writes (GET /requests), at least 7; 0: for ever.
    #[config(default = 7, validate = days, validate(!(1..7).contains(receipts_days), "the API promises 7 days; it takes 7 and more, or 0"))]
    pub receipts_days: u32,
    /// Days to keep translation jobs after they ended; 0: for ever.
    #[config(default = 30, validate = days)]
    pub jobs_days: u32,
    /// Days to keep operations that expired unused; 0: for ever.
    #[config(default = 30, validate = days)]
    pub unused_operations_days: u32,
    /// Days to keep used operations after the decision; 0: for ever. They record who allowed what.
    #[config(default = 400, validate = days)]
    pub used_operations_days: u32,
    /// Days to keep entries of the audit log, which tells who did what in a workspace; 0: for ever.
    #[config(default = 400, validate = days)]
    pub audit_log_days: u32,
    /// Days to keep captured keys that nobody has decided about; 0: for ever. An app that still misses one reports it
    /// again.
    #[config(default = 90, validate = days)]
    pub captured_keys_days: u32,
    /// Days to keep replaced sources of documents; 0: for ever. Sources that a published version names are kept.
    #[config(default = 30, validate = days)]
    pub document_sources_days: u32,
    /// Days to keep texts that no document contains any more, with their translations; 0: for ever. A paragraph that
    /// comes back within this time is free.
    #[config(default = 90, validate = days)]
    pub segments_days: u32,
    /// Days to keep translation memory after its last use; 0: for ever.
    #[config(default = 365, validate = days)]
    pub memory_days: u32,
    /// Days to keep versions that are not live; 0: for ever. This holds for keys and documents, and for the files that
    /// no other version names. Apps that read a version by its URL lose it.
    #[config(default = 0, validate = days)]
    pub versions_days: u32,
    /// Days in which the deletion of a project, workspace or document can be undone; 0: none. Until then
    /// `l10n-server … restore` brings it back.
    #[config(default = 30, validate = days)]
    pub deletion_grace_days: u32,
}

/// Sign-in to the dashboard with an identity provider (OpenID Connect). The provider's redirect URI is the origin of
/// `base_url` with /dashboard/oidc/callback.
#[derive(Debug, Clone, Config)]
#[config(layer_attr(serde(deny_unknown_fields)))]
pub(super) struct OidcSection {
    /// Issuer of the identity provider, exactly as it names itself, such as "https://id.example.com". Empty: none.
    #[config(default = "", deserialize_with = issuer)]
    pub(super) issuer: String,
    /// Client id that the identity provider gave this server.
    #[config(default = "")]
    pub(super) client_id: String,
    /// Client secret that the identity provider gave this server. Empty: a public client, which proves itself by PKCE
    /// alone. Prefer the environment (L10N_SERVER_OIDC_CLIENT_SECRET) or a file.
    #[config(default = "")]
    pub(super) client_secret: SecretText,
    /// File with the client secret.
    #[config(default = "", deserialize_with = optional_path)]
    pub(super) client_secret_file: OptionalPath,
    /// Name of the identity provider, as in "Sign in with Example".
    #[config(default = "single sign-on")]
    pub(super) name: String,
    /// Signs a person in to the account of their address when they come for the first time, if the provider says that it
    /// has verified the address. Otherwise people link the provider in their account. Anyone who can have the provider
    /// verify an address gets its account: state true only for a provider of your own organisation.
    #[config(default = false)]
    pub(super) link_verified_email: bool,
    /// Domains of addresses that may sign in with the provider, such as ["example.com"]; the provider must have verified
    /// the address. Empty: every address.
    #[config(default = [], deserialize_with = domains)]
    pub(super) allowed_email_domains: Vec<String>,
    /// Networks or addresses that the provider may be reached at although they are not public, such as ["10.1.0.0/16"].
    /// Only these make names such as sso.internal reachable.
    #[config(default = [], deserialize_with = networks)]
    pub(super) allow_targets: Vec<IpNet>,
    /// PEM file of certificates that are trusted beside this machine's when the provider is asked. Empty: none.
    #[config(default = "", deserialize_with = optional_path)]
    pub(super) extra_ca: OptionalPath,
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
    /// File with the master key. Further lines are previous master keys.
    #[config(default = "", deserialize_with = optional_path)]
    pub(super) master_key_file: OptionalPath,
    /// Keys that no longer seal but still open. To replace the key: start every server with the new key above and the
    /// old one here, run `l10n-server secrets reseal`, then start them without the old one.
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

fn days(days: &u32) -> Result<(), String> {
    between::<0, 36_500, _>(days)
}

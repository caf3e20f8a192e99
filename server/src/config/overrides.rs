//! Flags and environment variables: the same settings as the file has, each with the same name.

use std::path::PathBuf;

use clap::Args;

use super::SecretText;

/// Settings from flags (`--limits-requests-per-minute`) or the environment (`L10N_SERVER_LIMITS_REQUESTS_PER_MINUTE`).
/// Flags win over the environment, the environment over the file.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Settings")]
pub struct Overrides {
    /// Configuration file [default: l10n-server.toml where it exists]
    #[arg(long, value_name = "FILE", env = "L10N_SERVER_CONFIG", global = true)]
    pub config: Option<PathBuf>,
    /// Address to listen on [default: 127.0.0.1:8787]
    #[arg(long, value_name = "ADDRESS:PORT", env = "L10N_SERVER_LISTEN", global = true)]
    pub listen: Option<String>,
    /// Address under which clients reach the API, ending in /v1 [default: http://LISTEN/v1]
    #[arg(long, value_name = "URL", env = "L10N_SERVER_BASE_URL", global = true)]
    pub base_url: Option<String>,
    /// sqlite:PATH (made when missing) or postgres://… [default: sqlite:l10n-data/l10n.sqlite]
    #[arg(long, value_name = "URL", env = "L10N_SERVER_DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,
    /// Engine that translates: pseudo or identity [default: pseudo]
    #[arg(long, value_name = "NAME", env = "L10N_SERVER_ENGINE", global = true)]
    pub engine: Option<String>,
    /// Price of one character into one language, in millicredits [default: 1]
    #[arg(long, value_name = "N", env = "L10N_SERVER_PRICING_MILLICREDITS_PER_CHARACTER", global = true)]
    pub pricing_millicredits_per_character: Option<i64>,
    /// Requests of a project in 60 seconds [default: 120]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_REQUESTS_PER_MINUTE", global = true)]
    pub limits_requests_per_minute: Option<u32>,
    /// Failed authentications of one client address in 60 seconds [default: 600]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE", global = true)]
    pub limits_failed_authentications_per_minute: Option<u32>,
    /// Publishes of a project by API key in a day (UTC) [default: 30]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_PUBLISHES_PER_DAY", global = true)]
    pub limits_publishes_per_day: Option<u32>,
    /// Restores of a project by API key in a day (UTC) [default: 30]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_RESTORES_PER_DAY", global = true)]
    pub limits_restores_per_day: Option<u32>,
    /// New captured keys of a project in a day (UTC) [default: 5000]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_CAPTURES_PER_DAY", global = true)]
    pub limits_captures_per_day: Option<u32>,
    /// Pushes of documents of a project in a day (UTC) [default: 500]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_IMPORTS_PER_DAY", global = true)]
    pub limits_imports_per_day: Option<u32>,
    /// Runs of documents of a project in a day (UTC) [default: 500]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_RUNS_PER_DAY", global = true)]
    pub limits_runs_per_day: Option<u32>,
    /// Bytes of answers kept of a project for repeated Idempotency-Keys [default: 16777216]
    #[arg(long, value_name = "BYTES", env = "L10N_SERVER_LIMITS_KEPT_ANSWER_BYTES", global = true)]
    pub limits_kept_answer_bytes: Option<u64>,
    /// Connections of this process to PostgreSQL [default: 20]
    #[arg(long, value_name = "N", env = "L10N_SERVER_POSTGRES_CONNECTIONS", global = true)]
    pub postgres_connections: Option<u32>,
    /// Proxies whose X-Forwarded-For or Forwarded is believed, such as 10.0.0.0/8 [default: none]
    #[arg(
        long,
        value_name = "NETWORK,…",
        env = "L10N_SERVER_HTTP_TRUSTED_PROXIES",
        value_delimiter = ',',
        global = true
    )]
    pub http_trusted_proxies: Option<Vec<String>>,
    /// Connections of clients at a time [default: 4096]
    #[arg(long, value_name = "N", env = "L10N_SERVER_HTTP_MAX_CONNECTIONS", global = true)]
    pub http_max_connections: Option<u32>,
    /// Connections of one client address at a time [default: 256]
    #[arg(long, value_name = "N", env = "L10N_SERVER_HTTP_MAX_CONNECTIONS_PER_ADDRESS", global = true)]
    pub http_max_connections_per_address: Option<u32>,
    /// Seconds until the head of a request has to be there, and an idle connection ends [default: 60]
    #[arg(long, value_name = "N", env = "L10N_SERVER_HTTP_HEAD_TIMEOUT_SECONDS", global = true)]
    pub http_head_timeout_seconds: Option<u32>,
    /// Seconds for the body of a request [default: 60]
    #[arg(long, value_name = "N", env = "L10N_SERVER_HTTP_BODY_TIMEOUT_SECONDS", global = true)]
    pub http_body_timeout_seconds: Option<u32>,
    /// Seconds for each 16 KiB of an answer to be taken [default: 30]
    #[arg(long, value_name = "N", env = "L10N_SERVER_HTTP_WRITE_TIMEOUT_SECONDS", global = true)]
    pub http_write_timeout_seconds: Option<u32>,
    /// Seconds between a signal to end and the end of new connections [default: 0]
    #[arg(long, value_name = "N", env = "L10N_SERVER_HTTP_DRAIN_SECONDS", global = true)]
    pub http_drain_seconds: Option<u32>,
    /// Requests with bodies over 64 KiB that are worked on at a time [default: 2]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_LARGE_REQUESTS", global = true)]
    pub limits_large_requests: Option<u32>,
    /// Those that wait for their turn; more get 503 [default: 24]
    #[arg(long, value_name = "N", env = "L10N_SERVER_LIMITS_LARGE_REQUESTS_WAITING", global = true)]
    pub limits_large_requests_waiting: Option<u32>,
    /// Bytes of memory for contents of published files, 0 for none [default: 67108864]
    #[arg(long, value_name = "BYTES", env = "L10N_SERVER_DELIVERY_CACHE_BYTES", global = true)]
    pub delivery_cache_bytes: Option<u64>,
    /// Networks that may be delivered to although they are not public, such as 10.1.0.0/16 [default: none]
    #[arg(
        long,
        value_name = "NETWORK,…",
        env = "L10N_SERVER_WEBHOOKS_ALLOW_TARGETS",
        value_delimiter = ',',
        global = true
    )]
    pub webhooks_allow_targets: Option<Vec<String>>,
    /// Networks that may not be delivered to although they are public [default: none]
    #[arg(
        long,
        value_name = "NETWORK,…",
        env = "L10N_SERVER_WEBHOOKS_DENY_TARGETS",
        value_delimiter = ',',
        global = true
    )]
    pub webhooks_deny_targets: Option<Vec<String>>,
    /// PEM file of certificates that deliveries trust beside the machine's [default: none]
    #[arg(long, value_name = "FILE", env = "L10N_SERVER_WEBHOOKS_EXTRA_CA", global = true)]
    pub webhooks_extra_ca: Option<PathBuf>,
    /// Attempts at one webhook at a time [default: 16]
    #[arg(long, value_name = "N", env = "L10N_SERVER_WEBHOOKS_SLOTS_PER_WEBHOOK", global = true)]
    pub webhooks_slots_per_webhook: Option<u32>,
    /// Attempts at one host at a time [default: 64]
    #[arg(long, value_name = "N", env = "L10N_SERVER_WEBHOOKS_SLOTS_PER_HOST", global = true)]
    pub webhooks_slots_per_host: Option<u32>,
    /// Attempts at deliveries at a time [default: 256]
    #[arg(long, value_name = "N", env = "L10N_SERVER_WEBHOOKS_SLOTS", global = true)]
    pub webhooks_slots: Option<u32>,
    /// Days that receipts of writes are kept, 0 for ever [default: 7]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_RECEIPTS_DAYS", global = true)]
    pub retention_receipts_days: Option<u32>,
    /// Days that ended translation jobs are kept, 0 for ever [default: 30]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_JOBS_DAYS", global = true)]
    pub retention_jobs_days: Option<u32>,
    /// Days that operations are kept that expired unused, 0 for ever [default: 30]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_UNUSED_OPERATIONS_DAYS", global = true)]
    pub retention_unused_operations_days: Option<u32>,
    /// Days that used operations are kept, 0 for ever [default: 400]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_USED_OPERATIONS_DAYS", global = true)]
    pub retention_used_operations_days: Option<u32>,
    /// Days that captured keys are kept that nobody has decided about, 0 for ever [default: 90]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_CAPTURED_KEYS_DAYS", global = true)]
    pub retention_captured_keys_days: Option<u32>,
    /// Days that replaced sources of documents are kept, 0 for ever [default: 30]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_DOCUMENT_SOURCES_DAYS", global = true)]
    pub retention_document_sources_days: Option<u32>,
    /// Days that texts are kept that no document has any more, with their translations, 0 for ever [default: 90]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_SEGMENTS_DAYS", global = true)]
    pub retention_segments_days: Option<u32>,
    /// Days that translation memory is kept after its last use, 0 for ever [default: 365]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_MEMORY_DAYS", global = true)]
    pub retention_memory_days: Option<u32>,
    /// Days that versions are kept that are not live, 0 for ever [default: 0]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_VERSIONS_DAYS", global = true)]
    pub retention_versions_days: Option<u32>,
    /// Days in which a deletion of a project, workspace or document can be undone [default: 30]
    #[arg(long, value_name = "DAYS", env = "L10N_SERVER_RETENTION_DELETION_GRACE_DAYS", global = true)]
    pub retention_deletion_grace_days: Option<u32>,
    /// Key that seals secrets at rest, as `l10n-server secrets new-key` prints one; `serve` needs it [default: none]
    #[arg(long, value_name = "KEY", env = "L10N_SERVER_SECRETS_MASTER_KEY", hide_env_values = true, global = true)]
    pub secrets_master_key: Option<SecretText>,
    /// File with that key [default: none]
    #[arg(long, value_name = "FILE", env = "L10N_SERVER_SECRETS_MASTER_KEY_FILE", global = true)]
    pub secrets_master_key_file: Option<PathBuf>,
    /// Keys that sealed before, and still open [default: none]
    #[arg(
        long,
        value_name = "KEY,…",
        env = "L10N_SERVER_SECRETS_PREVIOUS_MASTER_KEYS",
        hide_env_values = true,
        value_delimiter = ',',
        global = true
    )]
    pub secrets_previous_master_keys: Option<Vec<SecretText>>,
    /// Address that serves /metrics to a Prometheus server [default: none]
    #[arg(long, value_name = "ADDRESS:PORT", env = "L10N_SERVER_METRICS_LISTEN", global = true)]
    pub metrics_listen: Option<String>,
    /// Log lines for people or machines: human or json [default: human]
    #[arg(long, value_name = "FORMAT", env = "L10N_SERVER_LOG_FORMAT", global = true)]
    pub log_format: Option<String>,
    /// What is logged, such as info or info,sqlx=warn [default: info]
    #[arg(long, value_name = "FILTER", env = "L10N_SERVER_LOG_LEVEL", global = true)]
    pub log_level: Option<String>,
}

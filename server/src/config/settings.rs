//! What the rules and the HTTP layer need to know of the configuration.

use std::collections::BTreeMap;
use std::time::Duration;

use ipnet::IpNet;
use l10n_api_types::Millicredits;

use crate::egress::EgressSettings;
use crate::vault::MasterKey;

/// Settings that hold while the server runs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Address under which clients reach the API, ending in `/v1`, without a slash at the end.
    pub base_url: String,
    /// Prices.
    pub pricing: Pricing,
    /// Limits.
    pub limits: Limits,
    /// How clients reach the server.
    pub http: Http,
    /// Delivery of published files.
    pub delivery: Delivery,
    /// Deliveries to webhooks.
    pub webhooks: Webhooks,
    /// How long records are kept.
    pub retention: Retention,
    /// Keys that secrets are sealed with at rest: the first seals, all of them open. Without one nothing can be sealed.
    pub master_keys: Vec<MasterKey>,
    /// Plans by name.
    pub plans: BTreeMap<String, Plan>,
}

impl Settings {
    /// Where people find the dashboard, without a slash at the end: beside the API.
    #[must_use]
    pub fn dashboard_url(&self) -> String {
        format!("{}/dashboard", self.base_url.strip_suffix("/v1").unwrap_or(&self.base_url))
    }
}

/// Prices of work.
#[derive(Debug, Clone)]
pub struct Pricing {
    /// Price of translating one Unicode scalar value of source text into one language.
    pub millicredits_per_character: i64,
}

impl Pricing {
    /// Price of translating a source text of so many characters into one language.
    #[must_use]
    pub fn price(&self, characters: u64) -> Millicredits {
        Millicredits(i64::try_from(characters).unwrap_or(i64::MAX).saturating_mul(self.millicredits_per_character))
    }
}

/// Limits that an operator may set.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Requests of a project in a window of 60 seconds (§8).
    pub requests_per_minute: u32,
    /// Failed authentications of one client address in a window of 60 seconds.
    pub failed_authentications_per_minute: u32,
    /// Publishes of a project by API key in a day (UTC).
    pub publishes_per_day: u32,
    /// Restores of a project by API key in a day (UTC).
    pub restores_per_day: u32,
    /// New captured keys of a project in a day (UTC).
    pub captures_per_day: u32,
    /// Pushes of documents of a project in a day (UTC).
    pub imports_per_day: u32,
    /// Runs of documents of a project in a day (UTC).
    pub runs_per_day: u32,
    /// Bytes of answers that are kept of a project for repeated `Idempotency-Key`s.
    pub kept_answer_bytes: u64,
    /// Requests with bodies over 64 KiB that a server process works on at a time.
    pub large_requests: u32,
    /// Those that wait for their turn.
    pub large_requests_waiting: u32,
}

/// How clients reach the server.
#[derive(Debug, Clone)]
pub struct Http {
    /// Proxies whose word about a client's address is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Connections at a time.
    pub max_connections: u32,
    /// Connections of one client address at a time. It does not hold for trusted proxies.
    pub max_connections_per_address: u32,
    /// Until the head of a request has to be there, counted from the end of the request before.
    pub head_timeout: Duration,
    /// For the body of a request.
    pub body_timeout: Duration,
    /// For each 16 KiB of an answer to be taken.
    pub write_timeout: Duration,
    /// Between a signal to end and the end of new connections: `/readyz` says 503, all else is served.
    pub drain: Duration,
}

impl Default for Http {
    fn default() -> Self {
        Self {
            trusted_proxies: Vec::new(),
            max_connections: 4096,
            max_connections_per_address: 256,
            head_timeout: Duration::from_secs(60),
            body_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(30),
            drain: Duration::ZERO,
        }
    }
}

/// How published files are delivered.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Bytes of memory for contents of published files, plain and compressed; 0 for none.
    pub cache_bytes: u64,
}

/// How deliveries to webhooks are made.
#[derive(Debug, Clone)]
pub struct Webhooks {
    /// Where they may go, and whom they trust.
    pub egress: EgressSettings,
    /// Attempts at one webhook at a time.
    pub slots_per_webhook: u32,
    /// Attempts at one host at a time, whoever's webhooks lead there.
    pub slots_per_host: u32,
    /// Attempts of a server process at a time.
    pub slots: u32,
}

/// How long records are kept, in days; 0 for ever. The ledger is always kept, and versions with their files unless
/// `versions_days` says otherwise.
#[derive(Debug, Clone)]
pub struct Retention {
    /// Receipts of writes; the API promises 7.
    pub receipts_days: u32,
    /// Translation jobs after they have ended.
    pub jobs_days: u32,
    /// Operations that were never used, after they expired.
    pub unused_operations_days: u32,
    /// Operations that were used, after the decision.
    pub used_operations_days: u32,
    /// Captured keys that nobody has decided about.
    pub captured_keys_days: u32,
    /// Sources of documents after a newer one came; those that a published version names stay.
    pub document_sources_days: u32,
    /// Texts that no document has any more, with their translations.
    pub segments_days: u32,
    /// Entries of translation memory after their last use.
    pub memory_days: u32,
    /// Versions that are not live, of keys and of documents, with the files that no other version names.
    pub versions_days: u32,
    /// Archived projects, workspaces and documents after they were deleted, so that it can be undone; 0 for at once.
    pub deletion_grace_days: u32,
}

/// What a plan holds. `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Active keys of a project.
    pub keys: Option<u64>,
    /// Languages of a project, the base language included.
    pub languages: Option<u64>,
    /// Documents of a project.
    pub documents: Option<u64>,
}

impl Settings {
    /// The plan of that name; a name that no setting knows holds nothing back.
    #[must_use]
    pub fn plan(&self, name: &str) -> Plan {
        self.plans.get(name).copied().unwrap_or_default()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base_url: "http://127.0.0.1:8787/v1".to_owned(),
            pricing: Pricing { millicredits_per_character: 1 },
            limits: Limits {
                requests_per_minute: 120,
                failed_authentications_per_minute: 600,
                publishes_per_day: 30,
                restores_per_day: 30,
                captures_per_day: 5_000,
                imports_per_day: 500,
                runs_per_day: 500,
                kept_answer_bytes: 16 * 1024 * 1024,
                large_requests: 2,
                large_requests_waiting: 24,
            },
            http: Http::default(),
            delivery: Delivery { cache_bytes: 64 * 1024 * 1024 },
            webhooks: Webhooks {
                egress: EgressSettings::default(),
                slots_per_webhook: 16,
                slots_per_host: 64,
                slots: 256,
            },
            retention: Retention {
                receipts_days: 7,
                jobs_days: 30,
                unused_operations_days: 30,
                used_operations_days: 400,
                captured_keys_days: 90,
                document_sources_days: 30,
                segments_days: 90,
                memory_days: 365,
                versions_days: 0,
                deletion_grace_days: 30,
            },
            master_keys: Vec::new(),
            plans: BTreeMap::from([
                ("unlimited".to_owned(), Plan::default()),
                ("free".to_owned(), Plan { keys: Some(100), languages: Some(3), documents: Some(10) }),
            ]),
        }
    }
}

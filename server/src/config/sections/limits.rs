//! The section `[limits]`.

use confique::Config;

use crate::config::values::{at_least_one, between};

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
    /// workspace by workspace, and the requests of one project one after the other; where no other workspace waits, one may
    /// have all turns.
    #[config(default = 2, validate = at_least_one)]
    pub large_requests: u32,
    /// Requests with bodies over 64 KiB that may wait for their turn. Bodies that are still being read count with them. Further
    /// ones get 503. One workspace gets at most half of the places that others leave.
    #[config(default = 24, validate = at_least_one)]
    pub large_requests_waiting: u32,
    /// Bytes of answers over 64 KiB that a server process holds until clients have read them. One workspace gets at most half
    /// of those that others leave. Public files may take the same number again, beyond `delivery.cache_bytes`; one client
    /// address and one project get at most half of that. Further such requests get 503, and so do requests with bodies over
    /// 64 KiB of a workspace that holds all it may.
    #[config(default = 134_217_728, validate = between::<16_777_216, { i64::MAX as i128 }, _>)]
    pub unsent_answer_bytes: u64,
}

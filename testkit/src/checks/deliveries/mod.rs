//! Attempts, their results, and what follows from them (§3, §6).

pub(super) mod answers;
pub(super) mod connections;
pub(super) mod disabling;
pub(super) mod restarts;
pub(super) mod retries;
pub(super) mod times;

use serde_json::Value;

/// Returns a condition: `count` attempts have ended and none is running. More may have ended: where the budget of requests is
/// used up, a log is read after the retry that comes 30 s later.
pub(super) fn attempted(count: u64) -> impl Fn(&Value) -> bool {
    move |entry| entry["attempts"].as_u64() >= Some(count) && entry["status"] != "delivering"
}

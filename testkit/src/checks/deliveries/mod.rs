//! Attempts, their results, and what follows from them (§3, §6).

mod answers;
mod connections;
mod disabling;
mod restarts;
mod retries;
mod times;

use serde_json::Value;

use crate::check::Check;

pub(super) const TABLES: [&[Check]; 6] =
    [answers::CHECKS, times::CHECKS, connections::CHECKS, retries::CHECKS, disabling::CHECKS, restarts::CHECKS];

/// Returns a condition: `count` attempts have ended and none is running.
fn attempted(count: u64) -> impl Fn(&Value) -> bool {
    move |entry| entry["attempts"] == count && entry["status"] != "delivering"
}

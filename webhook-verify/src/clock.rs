//! The time of the system.

use std::time::SystemTime;

/// Unix seconds; before 1970 it is 1970.
#[expect(clippy::disallowed_methods, reason = "receivers have no Clock of this server's")]
pub(crate) fn system() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

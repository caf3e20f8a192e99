//! The clock of `verify`.

use core::fmt;
use std::sync::Arc;
use std::time::SystemTime;

/// The system's clock, or a function.
#[derive(Clone, Default)]
pub(crate) struct Clock(Option<Arc<dyn Fn() -> i64 + Send + Sync>>);

impl Clock {
    pub(crate) fn from_fn(now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(now)))
    }

    /// Unix seconds.
    pub(crate) fn now(&self) -> i64 {
        self.0.as_ref().map_or_else(system, |now| now())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "function" } else { "system" })
    }
}

/// Returns the system's time; a time before 1970 counts as 1970.
#[expect(clippy::disallowed_methods, reason = "receivers have no Clock of this server's")]
fn system() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

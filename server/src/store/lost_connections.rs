//! Decides which connections to PostgreSQL are asked for a sign of life before they are used.
//!
//! To ask takes a round trip: of an authenticated read these would be two of six. A connection that was in use a moment ago is
//! taken as it is. Should it be lost all the same, the caller notices, and those that rest since before that moment are asked.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Error;

use super::error::is_lost;

/// A connection that rested for as long is asked: firewalls and poolers close what nobody uses.
const RESTED: Duration = Duration::from_secs(1);

/// The last time that a connection turned out to be lost. All clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct LostConnections {
    last: Arc<Mutex<Option<Instant>>>,
}

impl LostConnections {
    /// Returns true if `error` says that the connection is lost, and notes it: others may be lost for the same reason.
    pub(super) fn note(&self, error: &Error) -> bool {
        let is_lost = is_lost(error);
        if is_lost {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        is_lost
    }

    /// Returns true if a connection must be asked that nobody has used for `idle_for`.
    pub(super) fn must_ask(&self, idle_for: Duration) -> bool {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        idle_for >= RESTED || last.is_some_and(|last| last.elapsed() <= idle_for)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_asked_after_a_second_and_where_another_was_lost_since_its_last_use() {
        let lost = LostConnections::default();
        let (moment, rested) = (Duration::from_millis(900), RESTED);
        assert!(!lost.must_ask(moment) && lost.must_ask(rested), "none was lost");
        assert!(lost.note(&Error::WorkerCrashed));
        assert!(lost.must_ask(moment), "it may be lost, too");
        assert!(!lost.must_ask(Duration::ZERO), "it was used since");
    }
}

//! One execution of the suite: the session and its options.

use std::sync::Arc;
use std::time::Duration;

use super::options::Options;
use crate::check::Check;
use crate::session::Session;

/// One execution of the suite. Clones are the same execution.
#[derive(Debug, Clone)]
pub(super) struct Execution {
    pub(super) session: Arc<Session>,
    pub(super) options: Arc<Options>,
}

impl Execution {
    /// Time limit of a check, which is longer than its requests and polls together should take. Exceeding it is an
    /// error of the suite.
    pub(super) fn limit(&self, check: &Check) -> Duration {
        self.options.patience() * 10 + self.waits(check) * 2
    }

    /// The time for which a check waits by our clock.
    pub(super) fn waits(&self, check: &Check) -> Duration {
        let clock = &self.session.clock;
        if clock.can_be_moved() { Duration::ZERO } else { clock.real_time_of(check.waits) }
    }
}

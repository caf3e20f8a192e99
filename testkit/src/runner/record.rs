//! The record of a run: the only source of the reports and of the verdict.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::schedule::Ran;
use super::{Shared, expect};
use crate::check::{Check, Claim};
use crate::cx::Exchange;
use crate::outcome::{Failure, NotRun, Status};

/// The result of one check.
#[derive(Debug, Clone)]
pub struct CheckRecord {
    /// The check.
    pub check: &'static Check,
    /// Its status.
    pub status: Status,
    /// The reason why it was not run.
    pub not_run: Option<NotRun>,
    /// The error of the suite.
    pub error: Option<String>,
    /// Deviations.
    pub failures: Vec<Failure>,
    /// Assertions that held.
    pub assertions: usize,
    /// Its duration.
    pub took: Duration,
    /// Its exchanges, in their order, with secrets as they were sent: reports redact them.
    pub exchanges: Vec<Exchange>,
    /// Resources that it made and could not remove.
    pub clean_up: Vec<String>,
    /// The reason why its failure is accepted.
    pub expected: Option<String>,
}

impl CheckRecord {
    pub(crate) fn unreached(check: &'static Check) -> Self {
        Self {
            check,
            status: Status::NotRun,
            not_run: Some(NotRun::Unreached),
            error: None,
            failures: Vec::new(),
            assertions: 0,
            took: Duration::ZERO,
            exchanges: Vec::new(),
            clean_up: Vec::new(),
            expected: None,
        }
    }
}

/// A whole run.
#[derive(Debug, Clone)]
pub struct RunRecord {
    /// Its name.
    pub run_id: String,
    /// The deployment.
    pub base_url: String,
    /// The claims of the deployment.
    pub claims: Vec<Claim>,
    /// The time at which it began, in milliseconds since 1970.
    pub started: i64,
    /// Its duration, in milliseconds.
    pub took: i64,
    /// Every check of the suite, in its order.
    pub checks: Vec<CheckRecord>,
    /// Resources that the run made and could not remove, besides those in the records of its checks.
    pub clean_up: Vec<String>,
    /// The journal of what is left in the deployment, for `l10n-testkit cleanup`.
    pub journal: Option<PathBuf>,
    /// Publishes and restores that were spent, by project.
    pub publishes: Vec<(String, u32)>,
    /// Expectations that did not come true or have expired, each in a sentence.
    pub stale: Vec<String>,
    /// The reason why the run was aborted.
    pub aborted: Option<String>,
    /// True if the run was interrupted.
    pub interrupted: bool,
    /// By how much the deployment's clock was found to be ahead of ours, in milliseconds.
    pub skew: i64,
    shared: Arc<Shared>,
}

impl RunRecord {
    pub(super) fn new(
        shared: &Arc<Shared>,
        started: i64,
        ran: Ran,
        clean_up: Vec<String>,
        journal: Option<PathBuf>,
    ) -> Self {
        let Ran { records: mut checks, publishes } = ran;
        let today = jiff::Timestamp::from_millisecond(started).unwrap_or_default();
        let today = today.to_zoned(jiff::tz::TimeZone::UTC).date();
        let stale = expect::apply(&mut checks, &shared.options.expect, today);
        Self {
            run_id: shared.run_id.clone(),
            base_url: shared.profile.base_url.clone(),
            claims: shared.profile.claims.iter().copied().collect(),
            started,
            took: super::clock::system_now() - started,
            checks,
            clean_up,
            journal,
            publishes,
            stale,
            aborted: shared.http.breaker().why(),
            interrupted: shared.options.interrupt.is_cancelled(),
            skew: shared.clock.skew(),
            shared: Arc::clone(shared),
        }
    }

    /// A text without the secrets of the run.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.shared.secrets.redact(text)
    }
}

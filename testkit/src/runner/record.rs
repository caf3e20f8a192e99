//! What a run leaves: the one source of every report and of the verdict.

use std::sync::Arc;
use std::time::Duration;

use super::Shared;
use crate::check::{Check, Claim};
use crate::cx::Exchange;
use crate::outcome::{Failure, NotRun, Status};

/// What became of one check.
#[derive(Debug, Clone)]
pub struct CheckRecord {
    /// The check.
    pub check: &'static Check,
    /// How it ended.
    pub status: Status,
    /// Why it was not run.
    pub not_run: Option<NotRun>,
    /// What the suite failed at.
    pub error: Option<String>,
    /// Deviations.
    pub failures: Vec<Failure>,
    /// Assertions that held.
    pub assertions: usize,
    /// How long it took.
    pub took: Duration,
    /// Its exchanges, in their order, with secrets as they were sent: reports redact them.
    pub exchanges: Vec<Exchange>,
    /// What it made and could not remove.
    pub clean_up: Vec<String>,
}

impl CheckRecord {
    pub(super) fn unreached(check: &'static Check) -> Self {
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
    /// What the deployment claims.
    pub claims: Vec<Claim>,
    /// When it began, in milliseconds since 1970.
    pub started: i64,
    /// How long it took, in milliseconds.
    pub took: i64,
    /// Every check of the suite, in its order.
    pub checks: Vec<CheckRecord>,
    shared: Arc<Shared>,
}

impl RunRecord {
    pub(super) fn new(shared: &Arc<Shared>, started: i64, checks: Vec<CheckRecord>) -> Self {
        Self {
            run_id: shared.run_id.clone(),
            base_url: shared.profile.base_url.clone(),
            claims: shared.profile.claims.iter().copied().collect(),
            started,
            took: super::clock::system_now() - started,
            checks,
            shared: Arc::clone(shared),
        }
    }

    /// A text without the secrets of the run.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.shared.secrets.redact(text)
    }
}

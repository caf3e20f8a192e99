//! The record of a run: the only source of the reports and of the verdict.

use std::path::PathBuf;
use std::sync::Arc;

use super::check_record::CheckRecord;
use super::execution::Execution;
use super::expect;
use super::options::{Origin, Selection};
use super::schedule::Results;
use crate::claim::Claim;
use crate::session::{Session, system_now};

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
    /// The selected checks.
    pub selection: Selection,
    /// True if a selection that passes is enough.
    pub allow_partial: bool,
    /// The run's origin, for the reports.
    pub origin: Origin,
    /// Expectations that did not come true or have expired, each in a sentence.
    pub stale: Vec<String>,
    /// The reason why the run was aborted.
    pub aborted: Option<String>,
    /// True if the run was interrupted.
    pub interrupted: bool,
    /// By how much the deployment's clock was found to be ahead of ours, in milliseconds.
    pub skew: i64,
    session: Arc<Session>,
}

impl RunRecord {
    pub(super) fn new(
        execution: &Execution,
        started: i64,
        ran: Results,
        clean_up: Vec<String>,
        journal: Option<PathBuf>,
    ) -> Self {
        let Execution { session, options } = execution;
        let Results { records: mut checks, publishes } = ran;
        let today = jiff::Timestamp::from_millisecond(started).unwrap_or_default();
        let today = today.to_zoned(jiff::tz::TimeZone::UTC).date();
        let stale = expect::apply(&mut checks, &options.expect, today);
        Self {
            run_id: session.run_id.clone(),
            base_url: session.profile.base_url.clone(),
            claims: session.profile.claims.iter().copied().collect(),
            started,
            took: system_now() - started,
            checks,
            clean_up,
            journal,
            publishes,
            selection: options.selection.clone(),
            allow_partial: options.allow_partial,
            origin: options.origin.clone(),
            stale,
            aborted: session.http.breaker().why(),
            interrupted: options.interrupt.is_cancelled(),
            skew: session.clock.skew(),
            session: Arc::clone(session),
        }
    }

    /// A text without the secrets of the run.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        self.session.secrets.redact(text)
    }
}

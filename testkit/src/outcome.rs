//! The outcome of a check.

use std::fmt;

use serde::Serialize;

/// The result of a check. `Ok` alone is not a pass: see [`Status`].
pub type CheckResult = Result<(), Stop>;

/// The reason why a check stopped.
#[derive(Debug, Clone)]
pub enum Stop {
    /// The deployment deviates.
    Fail(Box<Failure>),
    /// Nothing was established about the deployment.
    NotRun(NotRun),
    /// The suite, its surroundings or the connection failed.
    Error(String),
}

/// A deviation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The case, if the check has several.
    pub case: Option<String>,
    /// The requirement of the specification.
    pub expected: String,
    /// The observation.
    pub actual: String,
    /// The exchange behind it, by its place in the check's record.
    pub exchange: Option<usize>,
}

impl Failure {
    /// The statements that its case names, of those that its check covers: a case is called `DLV-11: 200`, or
    /// `SIG-5, SIG-6`.
    pub(crate) fn statements<'a>(&self, covered: &[&'a str]) -> Vec<&'a str> {
        let head = self.case.as_deref().and_then(|case| case.split(':').next()).unwrap_or_default();
        let named: Vec<&str> = head.split(", ").collect();
        covered.iter().copied().filter(|one| named.contains(one)).collect()
    }
}

/// The reason why a check was not run, or not to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRun {
    /// The run has not come to it.
    Unreached,
    /// The profile does not claim what it needs.
    NotClaimed(String),
    /// The profile claims it, and lacks what it takes.
    CapabilityMissing(String),
    /// The unbroken request, by which a refusal is told from a server that refuses everything, did not succeed.
    PrerequisiteFailed(String),
    /// It would spend more than the run may.
    Budget(String),
    /// The deployment's own budget of a day is used up.
    DailyBudget(String),
    /// The project has not enough free webhook slots.
    Slots(String),
    /// It waits longer than the run may, and no clock can be moved.
    Clock(String),
    /// It writes, and the run may only read.
    ReadOnly,
    /// It was not selected.
    Filtered,
    /// The run's own time was over.
    Deadline,
    /// The run was interrupted.
    Interrupted,
    /// The deployment stopped answering.
    Aborted,
}

impl NotRun {
    /// The reason as one word of reports.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreached => "unreached",
            Self::NotClaimed(_) => "not_claimed",
            Self::CapabilityMissing(_) => "capability_missing",
            Self::PrerequisiteFailed(_) => "prerequisite_failed",
            Self::Budget(_) => "budget",
            Self::DailyBudget(_) => "daily_budget",
            Self::Slots(_) => "slots",
            Self::Clock(_) => "clock",
            Self::ReadOnly => "read_only",
            Self::Filtered => "filtered",
            Self::Deadline => "deadline",
            Self::Interrupted => "interrupted",
            Self::Aborted => "aborted",
        }
    }
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreached => f.write_str("the run did not reach it"),
            Self::NotClaimed(claim) => write!(f, "the profile does not claim `{claim}`"),
            Self::CapabilityMissing(what) => write!(f, "cannot run: {what}"),
            Self::PrerequisiteFailed(what) => write!(f, "a prerequisite is not met: {what}"),
            Self::Budget(what) => write!(f, "over the run's budget: {what}"),
            Self::DailyBudget(what) => write!(
                f,
                "a daily budget of the deployment is used up: {what}. Run again when it has been reset, or with other projects"
            ),
            Self::Slots(what) => write!(f, "too few free webhook slots: {what}"),
            Self::Clock(what) => write!(f, "waits too long: {what}"),
            Self::ReadOnly => f.write_str("it writes, and the run may only read"),
            Self::Filtered => f.write_str("not selected"),
            Self::Deadline => f.write_str("the run's deadline was reached"),
            Self::Interrupted => f.write_str("the run was interrupted"),
            Self::Aborted => f.write_str("the deployment stopped answering"),
        }
    }
}

/// The status of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// It ran to its end, asserted something, and its positive control was seen.
    Pass,
    /// It was not run.
    NotRun,
    /// A recommendation is not followed.
    Warn,
    /// A core or extended statement is not kept.
    Fail,
    /// The suite could not judge.
    Error,
}

impl Status {
    /// As reports write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::NotRun => "NOT_RUN",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
            Self::Error => "ERROR",
        }
    }
}

/// The progress of a check.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Assertions that held.
    pub assertions: usize,
    /// Positive controls that were seen.
    pub controls: usize,
    /// Deviations of cases, where the check went on.
    pub failures: Vec<Failure>,
}

//! The verdict of a run: one function, which every report and the exit code ask.

use std::fmt;

use serde::Serialize;

use crate::outcome::{NotRun, Status};
use crate::requirement::Level;
use crate::runner::RunRecord;

/// The verdict of a run on a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every check of the profile's claims ran and passed, or is expected not to.
    Conformant,
    /// Nothing deviates, but some claims were not verified.
    Incomplete,
    /// A check found a deviation.
    NonConformant,
    /// The suite could not judge.
    Error,
    /// An expectation did not occur, or has expired.
    Stale,
    /// The run was interrupted.
    Interrupted,
}

impl Verdict {
    /// The exit code of a run with this verdict. The code 2 is not among them: it means that no run began.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Conformant => 0,
            Self::NonConformant => 1,
            Self::Incomplete => 3,
            Self::Error => 4,
            Self::Stale => 5,
            Self::Interrupted => 130,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conformant => "conformant",
            Self::NonConformant => "non-conformant",
            Self::Incomplete => "incomplete",
            Self::Error => "error",
            Self::Stale => "stale expectations",
            Self::Interrupted => "interrupted",
        })
    }
}

/// Verdict over the selected and claimed checks.
#[must_use]
pub fn verdict(run: &RunRecord) -> Verdict {
    let counted = || run.checks.iter().filter(|record| record.expected.is_none());
    let any = |status| counted().any(|record| record.status == status);
    let open = counted().any(|record| {
        let excused = matches!(record.not_run, Some(NotRun::Filtered | NotRun::NotClaimed(_)));
        record.status == Status::NotRun && !excused && record.check.level() != Level::Advisory
    });
    let left_behind = !run.clean_up.is_empty() || run.checks.iter().any(|record| !record.clean_up.is_empty());
    let nothing_passed = !run.checks.iter().any(|record| record.status == Status::Pass);
    if run.interrupted {
        Verdict::Interrupted
    } else if run.aborted.is_some() {
        Verdict::Error
    } else if any(Status::Fail) {
        Verdict::NonConformant
    } else if any(Status::Error) || left_behind {
        Verdict::Error
    } else if !run.stale.is_empty() {
        Verdict::Stale
    } else if open || nothing_passed {
        Verdict::Incomplete
    } else {
        Verdict::Conformant
    }
}

//! The verdict of a run: one function, which every report and the exit code ask.

use std::fmt;

use serde::Serialize;

use crate::outcome::{NotRun, Status};
use crate::requirement::Level;
use crate::runner::RunRecord;

/// What a run says of a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every check that the profile claims ran and passed, or is expected not to.
    Conformant,
    /// Nothing deviates, and something that is claimed was not established.
    Incomplete,
    /// Something deviates.
    NonConformant,
    /// The suite could not judge.
    Error,
    /// An expectation did not come true, or has expired.
    Stale,
    /// Somebody stopped the run.
    Interrupted,
}

impl Verdict {
    /// The exit code of a run with this verdict. 2 is none of them: then there was no run.
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

/// The verdict on what was selected and is claimed.
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

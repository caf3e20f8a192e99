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
    /// Every check that the profile claims ran and passed.
    Conformant,
    /// Nothing deviates, and something that is claimed was not established.
    Incomplete,
    /// Something deviates.
    NonConformant,
    /// The suite could not judge.
    Error,
}

impl Verdict {
    /// The exit code of a run with this verdict.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Conformant => 0,
            Self::NonConformant => 1,
            Self::Incomplete => 3,
            Self::Error => 4,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conformant => "conformant",
            Self::Incomplete => "incomplete",
            Self::NonConformant => "non-conformant",
            Self::Error => "error",
        })
    }
}

/// The verdict on what was selected and is claimed.
#[must_use]
pub fn verdict(run: &RunRecord) -> Verdict {
    let any = |status| run.checks.iter().any(|record| record.status == status);
    let open = run.checks.iter().any(|record| {
        let excused = matches!(record.not_run, Some(NotRun::Filtered | NotRun::NotClaimed(_)));
        record.status == Status::NotRun && !excused && record.check.level() != Level::Advisory
    });
    let cleaned = run.checks.iter().all(|record| record.clean_up.is_empty());
    if any(Status::Fail) {
        Verdict::NonConformant
    } else if any(Status::Error) || !cleaned {
        Verdict::Error
    } else if open || !any(Status::Pass) {
        Verdict::Incomplete
    } else {
        Verdict::Conformant
    }
}

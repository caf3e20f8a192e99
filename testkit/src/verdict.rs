//! The verdict of a run: one function, which every report and the exit code ask.

use std::fmt;

use crate::claim::Claim;
use crate::exit::Exit;
use crate::outcome::{NotRun, Status};
use crate::requirement::Level;
use crate::runner::{CheckRecord, Depth, RunRecord};

/// The verdict of a run on a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All of core and every claim, up to a level, was verified and passed.
    Conformant(Extent),
    /// The selection passed. That says nothing about the rest.
    SelectionPassed {
        /// True if the run was told that this is enough.
        allowed: bool,
    },
    /// The claims passed, but core is not claimed as a whole.
    Partial,
    /// Nothing deviates, but some claims were not verified.
    Incomplete,
    /// Nothing deviates, and what was not verified is expected not to be.
    IncompleteAsExpected,
    /// A check found a deviation.
    NonConformant,
    /// Checks found deviations, each of them expected.
    NonConformantAsExpected,
    /// The suite could not judge.
    Error,
    /// An expectation did not occur, or has expired.
    Stale,
    /// The run was interrupted.
    Interrupted,
}

/// The extent to which a conformant deployment was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Up to this level.
    pub depth: Depth,
    /// True if statements about long times were verified, too.
    pub long_times: bool,
}

impl Verdict {
    /// The exit status of a run with this verdict. [`Exit::Usage`] is of none: no run began then.
    #[must_use]
    pub const fn exit(self) -> Exit {
        match self {
            Self::Conformant(_) | Self::SelectionPassed { allowed: true } => Exit::Success,
            Self::NonConformant => Exit::Deviates,
            Self::Incomplete | Self::Partial | Self::SelectionPassed { allowed: false } => Exit::NotVerified,
            Self::Error => Exit::Fault,
            Self::Stale => Exit::Stale,
            Self::NonConformantAsExpected | Self::IncompleteAsExpected => Exit::AsExpected,
            Self::Interrupted => Exit::Interrupted,
        }
    }

    /// The number of [`exit`](Self::exit).
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        self.exit().code()
    }

    /// The verdict as one word, for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Conformant(_) => "conformant",
            Self::SelectionPassed { .. } => "selection_passed",
            Self::Partial => "partial",
            Self::Incomplete => "incomplete",
            Self::IncompleteAsExpected => "incomplete_as_expected",
            Self::NonConformant => "non_conformant",
            Self::NonConformantAsExpected => "non_conformant_as_expected",
            Self::Error => "error",
            Self::Stale => "stale",
            Self::Interrupted => "interrupted",
        }
    }

    /// Its meaning, in a sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Conformant(Extent { long_times: true, .. }) => {
                "Every check of core, and of the further claims of this deployment, ran and passed."
            }
            Self::Conformant(_) => {
                "Every check of core, and of the further claims of this deployment, ran and passed, except statements about \
                 times of more than three minutes: the deployment does not claim `long-times`."
            }
            Self::SelectionPassed { .. } => {
                "The selected checks passed. The others were not run, so this says nothing about conformance."
            }
            Self::Partial => {
                "What this deployment claims passed, but it does not claim all of core. The list below says what is missing."
            }
            Self::Incomplete => {
                "Nothing deviates unexpectedly, but some claims of this deployment could not be checked."
            }
            Self::IncompleteAsExpected => {
                "Nothing deviates, but some claims of this deployment were not checked, as its file of expectations says."
            }
            Self::NonConformant => "This deployment deviates from the specification. The deviations are listed below.",
            Self::NonConformantAsExpected => {
                "This deployment deviates from the specification. Its file of expectations names every deviation."
            }
            Self::Error => "The suite could not judge: fix the errors below and run it again.",
            Self::Stale => "Nothing deviates unexpectedly, but an expected failure did not occur, or has expired.",
            Self::Interrupted => "The run was stopped before its end. The results so far are listed below.",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conformant(Extent { depth, long_times }) => {
                f.write_str("conformant")?;
                if *depth != Depth::All {
                    write!(f, " at level {}", depth.name())?;
                }
                f.write_str(if *long_times { "" } else { ", long times not verified" })
            }
            Self::SelectionPassed { .. } => f.write_str("selection passed"),
            Self::Partial => f.write_str("partial: core is not claimed as a whole"),
            Self::Incomplete => f.write_str("incomplete"),
            Self::IncompleteAsExpected => f.write_str("incomplete, as expected"),
            Self::NonConformant => f.write_str("not conformant"),
            Self::NonConformantAsExpected => f.write_str("not conformant, as expected"),
            Self::Error => f.write_str("no verdict"),
            Self::Stale => f.write_str("stale expectations"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// Verdict over the selected checks.
#[must_use]
pub fn verdict(run: &RunRecord) -> Verdict {
    let unexpected = |status| run.checks.iter().any(|record| record.expected.is_none() && record.status == status);
    let expected = |status| run.checks.iter().any(|record| record.expected.is_some() && record.status == status);
    let open = run.checks.iter().any(|record| record.expected.is_none() && is_open(record));
    let left_behind = !run.clean_up.is_empty() || run.checks.iter().any(|record| !record.clean_up.is_empty());
    let nothing_passed = !run.checks.iter().any(|record| record.status == Status::Pass);
    if run.interrupted {
        Verdict::Interrupted
    } else if run.aborted.is_some() {
        Verdict::Error
    } else if unexpected(Status::Fail) {
        Verdict::NonConformant
    } else if unexpected(Status::Error) || left_behind {
        Verdict::Error
    } else if !run.stale.is_empty() {
        Verdict::Stale
    } else if open {
        Verdict::Incomplete
    } else if expected(Status::Fail) {
        Verdict::NonConformantAsExpected
    } else if nothing_passed {
        Verdict::Incomplete
    } else if expected(Status::NotRun) {
        Verdict::IncompleteAsExpected
    } else if !run.selection.only.is_empty() {
        Verdict::SelectionPassed { allowed: run.allow_partial }
    } else if run.checks.iter().any(is_unclaimed_core) {
        Verdict::Partial
    } else {
        let long_times = !run.checks.iter().any(|record| lacks(record).is_some_and(is_long_times));
        Verdict::Conformant(Extent { depth: run.selection.depth(), long_times })
    }
}

/// Returns true if a selected and claimed check was not run, although it counts.
fn is_open(record: &CheckRecord) -> bool {
    let excused = matches!(record.not_run, Some(NotRun::Filtered | NotRun::NotClaimed(_)));
    record.status == Status::NotRun && !excused && record.check.level() != Level::Advisory
}

/// Returns true for a core check whose claim the profile lacks, unless that claim may be left out.
pub(crate) fn is_unclaimed_core(record: &CheckRecord) -> bool {
    record.check.level() == Level::Core && lacks(record).is_some_and(|claim| !is_long_times(claim))
}

/// The claim that the check needs and the profile does not make.
fn lacks(record: &CheckRecord) -> Option<&str> {
    match &record.not_run {
        Some(NotRun::NotClaimed(claim)) => Some(claim),
        _ => None,
    }
}

fn is_long_times(claim: &str) -> bool {
    claim == Claim::LongTimes.to_string()
}

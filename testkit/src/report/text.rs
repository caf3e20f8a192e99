//! The report for people at a terminal.

use std::fmt::Write as _;

use crate::outcome::{NotRun, Status};
use crate::requirement::requirement;
use crate::runner::RunRecord;
use crate::verdict::verdict;

/// A run as text.
#[must_use]
pub fn text(run: &RunRecord) -> String {
    let mut out = String::new();
    for record in &run.checks {
        if matches!(record.not_run, Some(NotRun::Filtered)) {
            continue;
        }
        let _ = write!(out, "{:8} {}", record.status.name(), record.check.id);
        let reason = record.not_run.as_ref().map(|reason| format!("{reason:?}")).or_else(|| record.error.clone());
        let _ = writeln!(out, "{}", reason.map(|reason| format!("  {}", run.redact(&reason))).unwrap_or_default());
        for failure in &record.failures {
            for id in record.check.covers {
                let _ = writeln!(out, "    {id}: {}", requirement(id).map_or("", |one| one.statement.as_str()));
            }
            if let Some(case) = &failure.case {
                let _ = writeln!(out, "    case:     {}", run.redact(case));
            }
            let _ = writeln!(out, "    expected: {}", run.redact(&failure.expected));
            let _ = writeln!(out, "    actual:   {}", run.redact(&failure.actual));
        }
    }
    let count = |status| run.checks.iter().filter(|record| record.status == status).count();
    let _ = writeln!(
        out,
        "{} passed, {} failed, {} warned, {} errors, {} not run: {}",
        count(Status::Pass),
        count(Status::Fail),
        count(Status::Warn),
        count(Status::Error),
        count(Status::NotRun),
        verdict(run)
    );
    out
}

//! The report as Test Anything Protocol, version 14.

use std::fmt::Write as _;

use super::Report;
use crate::outcome::Status;

/// A run as TAP.
#[must_use]
pub fn tap(report: &Report) -> String {
    let mut out = format!("TAP version 14\n1..{}\n", report.checks.len());
    for fact in report.facts() {
        let _ = writeln!(out, "# {}: {}", fact.name, line(&fact.text));
    }
    for (place, check) in report.checks.iter().enumerate() {
        let ok = if matches!(check.status, Status::Fail | Status::Error) { "not ok" } else { "ok" };
        let _ = write!(out, "{ok} {} - {}", place + 1, check.id);
        let _ = match check.status {
            Status::Fail if check.expected.is_some() => {
                writeln!(out, " # TODO expected: {}", line(check.expected.as_deref().unwrap_or_default()))
            }
            Status::NotRun => writeln!(out, " # SKIP {}", check.reason.as_deref().unwrap_or_default()),
            Status::Warn => writeln!(out, " # TODO advisory"),
            _ => writeln!(out),
        };
        for failure in &check.failures {
            let _ = writeln!(out, "  # expected: {}\n  # actual:   {}", line(&failure.expected), line(&failure.actual));
        }
        if let (Status::Error, Some(reason)) = (check.status, &check.reason) {
            let _ = writeln!(out, "  # error: {}", line(reason));
        }
    }
    let _ = writeln!(out, "# {}", report.verdict);
    out
}

fn line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

//! The report for people at a terminal.

use std::fmt::Write as _;

use super::{CheckReport, Report};
use crate::outcome::Status;
use crate::requirement::requirement;

/// A run as text: what deviates at length, the rest in a line each or counted.
#[must_use]
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    for check in &report.checks {
        if check.not_claimed.is_some() {
            continue;
        }
        line(&mut out, check);
        for failure in &check.failures {
            if let Some(case) = &failure.case {
                let _ = writeln!(out, "      case      {case}");
            }
            let _ = writeln!(out, "      expected  {}\n      actual    {}", failure.expected, failure.actual);
            if let Some(id) = &failure.correlation_id {
                let _ = writeln!(out, "      request   {id} (x-correlation-id)");
            }
            if let Some(curl) = &failure.curl {
                let _ = writeln!(out, "      again     {curl}");
            }
        }
        for url in &check.left_behind {
            let _ = writeln!(out, "      left behind: {url}");
        }
    }
    summary(&mut out, report);
    out
}

fn line(out: &mut String, check: &CheckReport) {
    let _ = write!(out, "{:8}{}", check.status.name(), check.id);
    if let Some(reason) = &check.reason {
        let _ = write!(out, ": {reason}");
    }
    out.push('\n');
    if check.failures.is_empty() {
        return;
    }
    for one in check.covers.iter().filter_map(|id| requirement(id)) {
        let _ = writeln!(out, "      {} ({}): {}", one.id, one.section, one.statement);
    }
}

fn summary(out: &mut String, report: &Report) {
    let mut unclaimed: Vec<&str> = report.checks.iter().filter_map(|check| check.not_claimed.as_deref()).collect();
    let skipped = unclaimed.len();
    unclaimed.sort_unstable();
    unclaimed.dedup();
    let counts = report.counts;
    let verified = report.requirements.iter().filter(|one| one.status == Some(Status::Pass)).count();
    let _ = writeln!(
        out,
        "\n{}: {} passed, {} failed, {} warned, {} errors, {} not run",
        report.verdict, counts.pass, counts.fail, counts.warn, counts.error, counts.not_run
    );
    let _ = writeln!(out, "{verified} of {} statements verified", report.requirements.len());
    if skipped > 0 {
        let _ = writeln!(out, "not claimed, so not verified ({skipped} checks): {}", unclaimed.join(", "));
    }
}

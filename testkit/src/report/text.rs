//! The report for people at a terminal.

use std::fmt::Write as _;

use super::{CheckReport, DeliveryReport, Report};
use crate::outcome::Status;

/// A run as text: what deviates at length, the rest in a line each or counted.
#[must_use]
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    // What an expectation excuses comes first, so that nobody takes it for passed.
    let (expected, others): (Vec<_>, Vec<_>) = report.checks.iter().partition(|check| check.expected.is_some());
    for check in expected.into_iter().chain(others) {
        if check.not_claimed.is_some() && check.expected.is_none() {
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
                let _ = writeln!(out, "      curl      {curl}");
            }
        }
        if let Some(delivery) = check.deliveries.last() {
            self::delivery(&mut out, delivery);
        }
        if let Some(again) = &check.again {
            let _ = writeln!(out, "      this check again: {again}");
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
    if let Some(because) = &check.expected {
        let _ = write!(out, " (expected: {because})");
    }
    if let Some(reason) = &check.reason {
        let _ = write!(out, ": {reason}");
    }
    out.push('\n');
    if check.failures.is_empty() {
        return;
    }
    for one in &check.statements {
        let _ = writeln!(out, "      {}: {} ({})", one.id, one.statement, one.links.join(", "));
    }
}

fn delivery(out: &mut String, delivery: &DeliveryReport) {
    let _ = writeln!(out, "      delivery  POST {}", delivery.path);
    for (name, value) in &delivery.headers {
        let _ = writeln!(out, "                {name}: {value}");
    }
    let _ = writeln!(out, "                {}", delivery.body);
    if let Some(base) = &delivery.signature_base {
        let _ = writeln!(out, "      signature of {base}");
    }
}

fn summary(out: &mut String, report: &Report) {
    let unclaimed: Vec<&str> = report.not_claimed.iter().map(|one| one.claim.as_str()).collect();
    let skipped: usize = report.not_claimed.iter().map(|one| one.checks.len()).sum();
    out.push('\n');
    for fact in report.facts() {
        let _ = writeln!(out, "{:14}{}", format!("{}:", fact.name), fact.text);
    }
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

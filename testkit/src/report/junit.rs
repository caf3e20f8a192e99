//! The report as JUnit XML, as CI systems show it: a suite for each group of statements, a case for each check.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Document, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::{CheckReport, Report};
use crate::outcome::Status;
use crate::requirement::requirement;

/// A run as JUnit XML.
///
/// # Errors
///
/// Returns an error if it cannot be written as XML.
pub fn junit(report: &Report) -> Result<String, SerializeError> {
    let mut document = Document::new(format!("l10n-testkit: {}", report.verdict));
    document.set_time(Duration::from_millis(u64::try_from(report.took_ms).unwrap_or_default()));
    let mut run = TestSuite::new("run");
    for fact in report.facts() {
        run.add_property((fact.name, fact.text.as_str()));
    }
    let mut suites: Vec<TestSuite> = vec![run];
    for check in &report.checks {
        let group = check.covers.first().and_then(|id| requirement(id)).map_or("other", |one| one.group.as_str());
        if suites.last().is_none_or(|suite| suite.name.as_str() != group) {
            suites.push(TestSuite::new(group));
        }
        if let Some(suite) = suites.last_mut() {
            suite.add_test_case(case(check, group));
        }
    }
    document.add_test_suites(suites);
    document.to_string()
}

fn case(check: &CheckReport, group: &str) -> TestCase {
    let status = match check.status {
        Status::Pass | Status::Warn => TestCaseStatus::success(),
        Status::Fail | Status::Error => {
            let kind = if check.status == Status::Fail { NonSuccessKind::Failure } else { NonSuccessKind::Error };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_message(message(check)).set_description(details(check));
            status
        }
        Status::NotRun => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(message(check));
            status
        }
    };
    let mut case = TestCase::new(check.id, status);
    case.set_classname(format!("l10n.{group}")).set_time(Duration::from_millis(check.took_ms));
    for id in check.covers {
        case.add_property(("requirement", *id));
    }
    case.add_property(("status", check.status.name()));
    if let Some(because) = &check.expected {
        case.add_property(("expected", because.as_str()));
    }
    if check.status == Status::Warn {
        case.set_system_out(format!("WARN: a recommendation is not followed\n{}", details(check)));
    }
    case
}

fn message(check: &CheckReport) -> String {
    let known = check.expected.as_ref().map(|because| format!("(expected: {because}) ")).unwrap_or_default();
    match check.failures.first() {
        Some(first) => format!("{known}expected {}; saw {}", first.expected, first.actual),
        None => known + check.reason.as_deref().unwrap_or_default(),
    }
}

fn details(check: &CheckReport) -> String {
    let mut lines: Vec<String> = check
        .statements
        .iter()
        .map(|one| format!("{}: {} ({})", one.id, one.statement, one.links.join(", ")))
        .collect();
    for failure in &check.failures {
        lines.extend(failure.case.iter().map(|case| format!("case: {case}")));
        lines.push(format!("expected: {}", failure.expected));
        lines.push(format!("actual: {}", failure.actual));
        lines.extend(failure.correlation_id.iter().map(|id| format!("correlation id: {id}")));
        lines.extend(failure.curl.iter().cloned());
    }
    if let Some(delivery) = check.deliveries.last() {
        lines.push(format!("delivery: POST {}", delivery.path));
        lines.extend(delivery.headers.iter().map(|(name, value)| format!("{name}: {value}")));
        lines.push(delivery.body.clone());
        lines.extend(delivery.signature_base.iter().map(|base| format!("signature of: {base}")));
    }
    lines.extend(check.again.iter().map(|again| format!("this check again: {again}")));
    lines.join("\n")
}

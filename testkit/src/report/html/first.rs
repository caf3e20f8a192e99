//! The top of the page: what is wrong, what was not verified and why, and what differs from an earlier run. All of it can be read
//! without unfolding anything.

use maud::{Markup, html};

use super::status::status_class;
use crate::outcome::Status;
use crate::report::{CheckReport, Difference, Report, StatusChange};

/// The sections at the top; none where everything passed.
pub(super) fn sections(report: &Report) -> Markup {
    let of = |wanted: &[Status]| -> Vec<&CheckReport> {
        report.checks.iter().filter(|check| wanted.contains(&check.status) && check.not_claimed.is_none()).collect()
    };
    let (expected, wrong): (Vec<_>, Vec<_>) =
        of(&[Status::Fail, Status::Error, Status::Warn]).into_iter().partition(|check| check.expected.is_some());
    html! {
        div.first {
            (listed("Expected not to pass", &expected))
            (listed("What is wrong", &wrong))
            (listed("Claimed and not verified", &of(&[Status::NotRun])))
            @if !report.not_claimed.is_empty() {
                section {
                    h2 { "Not claimed, so not verified" small { (report.not_claimed.len()) " claims" } }
                    ul.reasons {
                        @for one in &report.not_claimed {
                            li { code { (one.claim) } @if one.of_core { b { " core" } } " " @for id in &one.statements { (link(id)) " " } }
                        }
                    }
                }
            }
            @if let Some(difference) = &report.compared { (compared(difference)) }
        }
    }
}

fn listed(title: &str, checks: &[&CheckReport]) -> Markup {
    html! {
        @if !checks.is_empty() {
            section {
                h2 { (title) small { (checks.len()) @if checks.len() == 1 { " check" } @else { " checks" } } }
                ul.reasons { @for check in checks { (line(check)) } }
            }
        }
    }
}

fn line(check: &CheckReport) -> Markup {
    let status = Some(check.status).filter(|status| *status != Status::NotRun);
    html! {
        li {
            span.dot.(status_class(status)) {}
            " " b { @if let Some(first) = check.covers.first() { a href=(format!("#{first}")) { (check.id) } } }
            @if let Some(because) = &check.expected { " (expected: " (because) ")" }
            @if let Some(reason) = &check.reason { " " (reason) }
            @if let Some(first) = check.failures.first() {
                " expected " (first.expected) "; saw " (first.actual)
                @if check.failures.len() > 1 { " and " (check.failures.len() - 1) " more" }
            }
        }
    }
}

fn compared(difference: &Difference) -> Markup {
    let changes = |name: &str, all: &[StatusChange]| {
        html! {
            @for StatusChange { what, from, to } in all { li { b { (name) } " " (what) ": " (from) " → " (to) } }
        }
    };
    html! {
        section {
            h2 { "Since the earlier run" small { (difference.worse.len()) " worse · " (difference.better.len()) " better" } }
            ul.reasons {
                (changes("worse", &difference.worse))
                (changes("better", &difference.better))
                @for one in &difference.other { li { (one) } }
                @if difference.text().is_empty() { li { "Nothing differs." } }
            }
        }
    }
}

fn link(id: &str) -> Markup {
    html! { a href=(format!("#{id}")) { (id) } }
}

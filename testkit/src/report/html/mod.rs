//! The report for people with a browser: one file that needs no other.

mod check;
mod first;
mod status;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::status::status_class;
use super::model::{Report, RequirementReport};
use crate::exit::Exit;
use crate::outcome::Status;
use crate::requirement::Level;
use crate::verdict::Verdict;

/// A run as a page.
#[must_use]
pub fn html(report: &Report) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Conformance: " (report.verdict) " – " (report.base_url) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                (header(report))
                (first::sections(report))
                section.facts {
                    h2 { "What was verified" }
                    dl { @for fact in report.facts() { div { dt { (fact.name) } dd { (fact.text) } } } }
                }
                (filters(report))
                main {
                    p.told hidden aria-live="polite" {}
                    @for group in groups(report) { (section(report, group)) }
                }
                footer {
                    "l10n-testkit " (report.suite_version) " · run " (report.run_id)
                    " · secrets are replaced by their names in ‹ ›"
                }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    };
    page.into_string()
}

fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict.exit() {
        Exit::Success => "pass",
        Exit::NotVerified => "warn",
        Exit::Deviates | Exit::AsExpected => "fail",
        Exit::Usage | Exit::Fault | Exit::Stale | Exit::Interrupted => "error",
    }
}

fn header(report: &Report) -> Markup {
    let counts = report.counts;
    let bars = [
        ("pass", counts.pass),
        ("fail", counts.fail),
        ("warn", counts.warn),
        ("error", counts.error),
        ("open", counts.not_run),
    ];
    let names = ["passed", "failed", "warnings", "errors", "not run"];
    let seconds = report.took_ms / 1000;
    let verified = report.requirements.iter().filter(|one| one.status == Some(Status::Pass)).count();
    html! {
        header class=(verdict_class(report.verdict)) {
            p.eyebrow { "Conformance report" }
            h1 { (report.verdict) }
            p { (report.verdict.meaning()) }
            dl {
                div { dt { "Deployment" } dd { (report.base_url) } }
                div { dt { "Run" } dd { time datetime=(report.started_at) { (report.started_at.get(..19).unwrap_or_default().replace('T', " ")) " UTC" } } }
                div { dt { "Took" } dd { @if seconds >= 60 { (seconds / 60) " min " } (seconds % 60) " s" } }
                div { dt { "Exit code" } dd { (report.exit_code) } }
            }
            div.bar role="img" aria-label="share of checks by outcome" {
                @for (class, count) in bars { @if count > 0 { span class=(class) style=(format!("flex-grow:{count}")) {} } }
            }
            p.counted { "Checks: " (report.checks.len()) ". Each looks at one or more of " (report.requirements.len()) " statements, of which " (verified) " are verified." }
            ul.counts { @for ((class, count), name) in bars.iter().zip(names) { li class=(class) { b { (count) } " " (name) } } }
        }
    }
}

fn filters(report: &Report) -> Markup {
    let count = |class: &str| report.requirements.iter().filter(|one| status_class(one.status) == class).count();
    let kinds =
        [("fail", "Failed"), ("error", "Errors"), ("warn", "Warnings"), ("open", "Not verified"), ("pass", "Passed")];
    html! {
        nav aria-label="Filter" {
            button type="button" data-show="all" aria-pressed="true" { "All statements " b { (report.requirements.len()) } }
            @for (class, name) in kinds {
                button type="button" class=(class) data-show=(class) aria-pressed="false" disabled[count(class) == 0] { (name) " " b { (count(class)) } }
            }
            select aria-label="Level" {
                option value="all" { "every level" }
                option value="core" { "core" }
                option value="extended" { "extended" }
                option value="advisory" { "advisory" }
            }
            input type="search" placeholder="Id or words" aria-label="Search";
        }
    }
}

fn groups(report: &Report) -> Vec<&'static str> {
    let mut groups: Vec<&'static str> = Vec::new();
    for one in &report.requirements {
        if !groups.contains(&one.group) {
            groups.push(one.group);
        }
    }
    groups
}

fn title(group: &str) -> &str {
    match group {
        "CONV" => "Conventions",
        "RES" => "Resources and fields",
        "WHF" => "Webhook fields",
        "DLV" => "Delivery log",
        "SCOPE" => "Scopes",
        "DRY" => "Dry runs",
        "PUB" => "Public routes",
        "WHR" => "Webhook routes",
        "WHURL" => "Webhook addresses",
        "WHLIM" => "Webhook limit",
        "AUTH" => "Authentication",
        "EV" => "Events",
        "ENV" => "Envelope of strings.published",
        "CP" => "content.published",
        "SIG" => "Signatures",
        "DEL" => "Delivery",
        "ERR" => "Errors",
        "LIM" => "Limits",
        "VER" => "Versioning",
        "OPS" => "Operations",
        "FN" => "Whole flows",
        "ADD" => "Additions",
        other => other,
    }
}

fn section(report: &Report, group: &str) -> Markup {
    let mine = || report.requirements.iter().filter(|one| one.group == group);
    let passed = mine().filter(|one| one.status == Some(Status::Pass)).count();
    html! {
        section {
            h2 { (title(group)) small { (passed) " of " (mine().count()) " verified" } }
            div.statements { @for one in mine() { (requirement(report, one)) } }
        }
    }
}

fn requirement(report: &Report, one: &RequirementReport) -> Markup {
    let class = status_class(one.status);
    let open = matches!(one.status, Some(Status::Fail | Status::Error | Status::Warn));
    html! {
        details.statement id=(one.id) data-status=(class) data-level=(level(one.level)) open[open] {
            summary {
                span.badge.(class) { (status_words(one.status)) }
                b { (one.id) }
                span.text { (words(one.statement)) }
                span.meta { (one.section) " · " (level(one.level)) }
            }
            @for id in &one.checks {
                @if let Some(found) = report.check(id) { (check::check(one.id, found)) }
            }
        }
    }
}

/// Words in which `…` is code.
fn words(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Core => "core",
        Level::Extended => "extended",
        Level::Advisory => "advisory",
        Level::InRepo | Level::Lib => "repository",
    }
}

fn status_words(status: Option<Status>) -> &'static str {
    match status {
        Some(Status::Pass) => "pass",
        Some(Status::Warn) => "warning",
        Some(Status::Fail) => "fail",
        Some(Status::Error) => "error",
        Some(Status::NotRun) | None => "not verified",
    }
}

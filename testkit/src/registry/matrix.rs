//! The matrix: statement by statement, what checks it, what proves that the check can fail, and which endpoints it is about.

use std::fmt::Write as _;

use super::{checks_of, is_checked_from_outside, mutants_of};
use crate::checks;
use crate::endpoints::ENDPOINTS;
use crate::mutants;
use crate::requirement::{Level, Requirement, requirements};

/// Statements that are checked from outside and that no deviation breaks, with the reason.
pub(super) const UNPLANTED: &[(&str, &str)] = &[(
    "DEL-20",
    "the server itself verifies certificates, and has no switch that turns this off, so that nobody can use one: tests of the \
         server's repository connect it to wrong certificates",
)];

/// The matrix in Markdown.
#[must_use]
pub fn matrix() -> String {
    let mut out = String::from(
        "# Conformance matrix\n\n\
         Each numbered statement of the specification (`docs/spec.md`, to whose sections § refers), the checks that cover it,\n\
         and the planted deviations that those checks have to find. Printed by `l10n-testkit matrix`; a test compares it with the tables.\n\n",
    );
    summary(&mut out);
    let mut groups: Vec<&str> = Vec::new();
    for one in requirements() {
        if !groups.contains(&one.group.as_str()) {
            groups.push(&one.group);
        }
    }
    for group in groups {
        let _ = writeln!(out, "\n## {group}\n");
        let _ = writeln!(out, "| Id | § | Level | Statement | Checks | Deviations | Endpoints |");
        let _ = writeln!(out, "|---|---|---|---|---|---|---|");
        for one in requirements().iter().filter(|one| one.group == group) {
            row(&mut out, one);
        }
    }
    unplanted(&mut out);
    out
}

/// The statements that no deviation breaks, with the reason.
fn unplanted(out: &mut String) {
    let _ = writeln!(out, "\n## Statements without a planted deviation\n");
    for one in requirements().iter().filter(|one| planted(&one.id).is_empty()) {
        let reason = UNPLANTED.iter().find(|(id, _)| *id == one.id).map(|(_, reason)| (*reason).to_owned());
        let elsewhere = || format!("not checked from outside: {}", elsewhere(one.level));
        let _ = writeln!(out, "- **{}**: {}", one.id, reason.unwrap_or_else(elsewhere));
    }
}

/// The ids of the deviations of a statement: those that break it, and those that its checks have to find.
pub(super) fn planted(requirement: &str) -> Vec<&'static str> {
    let mut planted: Vec<&str> = Vec::new();
    let checks = checks_of(requirement);
    let of_checks = checks.iter().flat_map(|check| mutants_of(check.id));
    for mutant in mutants::all().into_iter().filter(|mutant| mutant.breaks == requirement).chain(of_checks) {
        if !planted.contains(&mutant.id) {
            planted.push(mutant.id);
        }
    }
    planted
}

fn summary(out: &mut String) {
    let _ = writeln!(out, "| Level | Statements | Covered by a check |\n|---|---|---|");
    for level in [Level::Core, Level::Extended, Level::Advisory, Level::InRepo, Level::Lib] {
        let of_level: Vec<_> = requirements().iter().filter(|one| one.level == level).collect();
        let covered = of_level.iter().filter(|one| !checks_of(&one.id).is_empty()).count();
        let elsewhere = format!("none from outside: {}", elsewhere(level));
        let covered = if is_checked_from_outside(level) { covered.to_string() } else { elsewhere };
        let _ = writeln!(out, "| {} | {} | {covered} |", level.name(), of_level.len());
    }
    let _ = writeln!(out, "\n{} checks, {} planted deviations.", checks::all().len(), mutants::all().len());
}

fn row(out: &mut String, one: &Requirement) {
    let checks = checks_of(&one.id);
    let ids = |ids: Vec<&str>| ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    let named = if is_checked_from_outside(one.level) {
        ids(checks.iter().map(|check| check.id).collect())
    } else {
        elsewhere(one.level).to_owned()
    };
    let about = |entry: &&crate::endpoints::Coverage| entry.requirements.contains(&one.id.as_str());
    let endpoints: Vec<&str> = ENDPOINTS.iter().filter(about).map(|entry| entry.endpoint).collect();
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} | {named} | {} | {} |",
        one.id,
        one.section,
        one.level.name(),
        one.statement.replace('|', "\\|"),
        ids(planted(&one.id)),
        ids(endpoints)
    );
}

fn elsewhere(level: Level) -> &'static str {
    if level == Level::Lib { "vectors of the libraries" } else { "tests of the server's repository" }
}

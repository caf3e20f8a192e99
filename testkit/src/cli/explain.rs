//! `l10n-testkit explain`.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use l10n_testkit::check::Check;
use l10n_testkit::checks;
use l10n_testkit::endpoints::ENDPOINTS;
use l10n_testkit::registry::{checks_of, mutants_of};
use l10n_testkit::requirement::{Interpretation, Requirement, readings, requirement, requirements};

use super::output::{CommandError, print};

#[derive(Args)]
pub(crate) struct ExplainCommand {
    /// Ids of statements, checks or readings: SIG-5, AMB-8
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
}

impl ExplainCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, CommandError> {
        let mut parts = Vec::new();
        for id in &self.ids {
            parts.push(explained(&id.to_uppercase()).or_else(|| explained(id)).ok_or_else(|| unknown(id))?);
        }
        print(&parts.join("\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn explained(id: &str) -> Option<String> {
    let check = checks::all().into_iter().find(|check| check.id == id);
    if let Some(one) = requirement(id) {
        return Some(statement(one));
    }
    if let Some(check) = check {
        let mut out = format!("{}  a check\n\n", check.id);
        for one in check.covers.iter().filter_map(|id| requirement(id)) {
            let _ = writeln!(out, "  covers {} ({}): {}", one.id, one.section, one.statement);
        }
        details(&mut out, check);
        return Some(out);
    }
    readings().iter().find(|reading| reading.id == id).map(open_point)
}

fn statement(one: &Requirement) -> String {
    let mut out = format!("{}  {}  {}\n\n  {}\n\n", one.id, one.section, one.level.name(), one.statement);
    let _ = writeln!(out, "  Rule: {}", one.places().join(", "));
    let _ = writeln!(out, "  Check: {}", one.check);
    let _ = writeln!(out, "  Must detect: {}", one.mutant);
    for reading in readings().iter().filter(|reading| mentions(reading, one)) {
        let _ = writeln!(
            out,
            "\n  {}: {}\n    read as: {}\n    the suite: {}",
            reading.id, reading.open, reading.reading, reading.suite
        );
    }
    let about: Vec<_> = ENDPOINTS
        .iter()
        .filter(|entry| entry.requirements.contains(&one.id.as_str()))
        .map(|entry| entry.endpoint)
        .collect();
    if !about.is_empty() {
        let _ = writeln!(out, "\n  Endpoints: {}", about.join(", "));
    }
    let checks = checks_of(&one.id);
    if checks.is_empty() {
        let _ = writeln!(out, "\n  No check from outside covers it.");
    }
    for check in checks {
        let _ = writeln!(out, "\n  Check {}", check.id);
        details(&mut out, check);
    }
    out
}

fn details(out: &mut String, check: &Check) {
    let needs: Vec<_> = check.claims().map(|claim| claim.to_string()).collect();
    if !needs.is_empty() {
        let _ = writeln!(out, "    needs the claims {}", needs.join(", "));
    }
    let spends = [
        (u64::from(check.slots), "webhooks at once"),
        (u64::from(check.publishes), "publishes"),
        (check.waits.as_secs(), "seconds by the deployment's clock"),
    ];
    let spends: Vec<_> =
        spends.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if !spends.is_empty() {
        let _ = writeln!(out, "    takes {}", spends.join(", "));
    }
    for mutant in mutants_of(check.id) {
        let _ = writeln!(out, "    finds {}: {}", mutant.id, mutant.says);
    }
}

fn open_point(reading: &Interpretation) -> String {
    let mut out = format!(
        "{}  an open point\n\n  {}\n  read as: {}\n  the suite: {}\n",
        reading.id, reading.open, reading.reading, reading.suite
    );
    let about: Vec<_> = requirements().iter().filter(|one| mentions(reading, one)).map(|one| one.id.as_str()).collect();
    if !about.is_empty() {
        let _ = writeln!(out, "  concerns {}", about.join(", "));
    }
    out
}

/// Returns true if a reading and a statement refer to one another.
fn mentions(reading: &Interpretation, one: &Requirement) -> bool {
    let names = |text: &str, id: &str| {
        text.match_indices(id).any(|(at, _)| {
            let after = text[at + id.len()..].chars().next();
            let before = text[..at].chars().next_back();
            !after.is_some_and(|next| next.is_ascii_alphanumeric())
                && !before.is_some_and(|last| last.is_ascii_alphanumeric() || last == '-')
        })
    };
    let mine = [&one.statement, &one.check, &one.mutant];
    let theirs = [&reading.open, &reading.reading, &reading.suite];
    mine.iter().any(|text| names(text, &reading.id)) || theirs.iter().any(|text| names(text, &one.id))
}

fn unknown(id: &str) -> CommandError {
    let known = requirements().iter().map(|one| one.id.as_str());
    let known = known
        .chain(readings().iter().map(|one| one.id.as_str()))
        .chain(checks::all().into_iter().map(|check| check.id));
    let near = l10n_testkit::runner::nearest(&id.to_uppercase(), known);
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    CommandError::usage(anyhow::anyhow!("there is no statement, check or reading `{id}`{near}"))
}

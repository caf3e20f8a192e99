//! The kill matrix: the checks that find each mutant.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::mutants::Mutant;

/// The result of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "result", content = "detail")]
pub enum MutantOutcome {
    /// Every check that it names found it.
    Killed,
    /// These did not.
    Survived(Vec<String>),
    /// The lab does not claim what its checks need.
    NotClaimed(String),
    /// Nothing is known: a check does not pass without it either, or no lab started.
    Obstructed(String),
}

/// A mutant and what became of it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatrixRow {
    /// Its id.
    pub mutant: &'static str,
    /// The statement that it breaks.
    pub breaks: &'static str,
    /// The behaviour of such a server.
    pub says: &'static str,
    /// The place where it is planted.
    pub planted: String,
    /// The checks that have to find it.
    pub killed_by: &'static [&'static str],
    /// Its result.
    #[serde(flatten)]
    pub outcome: MutantOutcome,
    /// Further checks that failed on it, of those that were run.
    pub collateral: Vec<&'static str>,
}

/// The mutants of a campaign, in the order of their tables.
#[derive(Debug, Clone, Serialize)]
pub struct Matrix {
    /// The mutants.
    pub mutants: Vec<MatrixRow>,
}

impl MatrixRow {
    pub(super) fn new(mutant: &'static Mutant, outcome: MutantOutcome) -> Self {
        Self {
            mutant: mutant.id,
            breaks: mutant.breaks,
            says: mutant.says,
            planted: format!("{:?}", mutant.plant),
            killed_by: mutant.killed_by,
            outcome,
            collateral: Vec::new(),
        }
    }

    /// The row as one line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = format!("{:11} {} ({})", self.outcome.name(), self.mutant, self.killed_by.join(", "));
        match &self.outcome {
            MutantOutcome::Killed => {}
            MutantOutcome::Survived(checks) => {
                checks.iter().for_each(|check| line.push_str(&format!("\n            {check}")))
            }
            MutantOutcome::NotClaimed(why) | MutantOutcome::Obstructed(why) => {
                line.push_str(&format!("\n            {why}"))
            }
        }
        if !self.collateral.is_empty() {
            line.push_str(&format!("\n            also fail: {}", self.collateral.join(", ")));
        }
        line
    }
}

impl MutantOutcome {
    /// In one word.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Survived(_) => "SURVIVED",
            Self::NotClaimed(_) => "not claimed",
            Self::Obstructed(_) => "OBSTRUCTED",
        }
    }
}

impl Matrix {
    pub(super) fn new(mutants: Vec<MatrixRow>) -> Self {
        Self { mutants }
    }

    /// The number of mutants with such a result.
    #[must_use]
    pub fn count(&self, ended: impl Fn(&MutantOutcome) -> bool) -> usize {
        self.mutants.iter().filter(|row| ended(&row.outcome)).count()
    }

    /// The numbers of mutants by result, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        format!(
            "{} mutants: {} killed, {} survived, {} not claimed, {} obstructed",
            self.mutants.len(),
            self.count(|outcome| *outcome == MutantOutcome::Killed),
            self.count(|outcome| matches!(outcome, MutantOutcome::Survived(_))),
            self.count(|outcome| matches!(outcome, MutantOutcome::NotClaimed(_))),
            self.count(|outcome| matches!(outcome, MutantOutcome::Obstructed(_))),
        )
    }

    /// As a table in Markdown. It has no times in it: of the same tables it is always the same.
    #[must_use]
    pub fn markdown(&self) -> String {
        let collateral = self.mutants.iter().any(|row| !row.collateral.is_empty());
        let mut out = format!("# Kill matrix\n\n{}.\n\n", self.summary());
        let (head, rule) = if collateral { (" also fail |", " --- |") } else { ("", "") };
        let _ = writeln!(out, "| mutant | breaks | such a server | planted | killed by | result |{head}");
        let _ = writeln!(out, "| --- | --- | --- | --- | --- | --- |{rule}");
        for row in &self.mutants {
            let says = row.says.replace('|', "\\|");
            let (mutant, breaks, planted) = (row.mutant, row.breaks, &row.planted);
            let (killers, result) = (row.killed_by.join(", "), row.outcome.name());
            let also = if collateral { format!(" {} |", row.collateral.join(", ")) } else { String::new() };
            let _ = writeln!(out, "| `{mutant}` | {breaks} | {says} | {planted} | {killers} | {result} |{also}");
        }
        out
    }

    /// Writes `path` in Markdown, and beside it the same as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        write(path, &self.markdown())?;
        write(&path.with_extension("json"), &format!("{}\n", serde_json::to_string_pretty(self)?))
    }
}

/// Writes a file, with its path in the error.
fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

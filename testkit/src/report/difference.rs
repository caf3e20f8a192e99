//! The difference of two results: what got worse, what got better, and what else differs.

use std::fmt::Write as _;

/// The differences of two results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Statements and checks whose status got worse.
    pub worse: Vec<StatusChange>,
    /// Those whose status got better.
    pub better: Vec<StatusChange>,
    /// Other differences, each in a sentence.
    pub other: Vec<String>,
}

/// A status that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusChange {
    /// `statement SIG-5`, `check SIG-5`.
    pub what: String,
    /// Before and after, as reports write them.
    pub from: String,
    /// See `from`.
    pub to: String,
}

impl Difference {
    /// The differences in lines; empty where there are none.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (name, changes) in [("worse", &self.worse), ("better", &self.better)] {
            for StatusChange { what, from, to } in changes {
                let _ = writeln!(out, "{name:7} {what}: {from} -> {to}");
            }
        }
        for one in &self.other {
            let _ = writeln!(out, "        {one}");
        }
        out
    }
}

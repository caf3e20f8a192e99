//! The numbered statements of the specification: `requirements.json`, the one source of their words and levels.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The level of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Every deployment keeps it.
    Core,
    /// A deployment that claims what it needs keeps it.
    #[serde(rename = "ext")]
    Extended,
    /// Recommended: a breach is a warning.
    #[serde(rename = "adv")]
    Advisory,
    /// Cannot be seen from outside: tested in the repository of the server.
    InRepo,
    /// About libraries, not about a deployment.
    Lib,
}

impl Level {
    /// As `requirements.json` writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Extended => "ext",
            Self::Advisory => "adv",
            Self::InRepo => "in-repo",
            Self::Lib => "lib",
        }
    }
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Requirement {
    /// Stable for ever: never renumbered, never reused.
    pub id: String,
    /// Sections of the specification (`docs/spec.md`), such as `§6.3` or `§3,§4`.
    pub section: String,
    /// The group of its id.
    pub group: String,
    /// Its level.
    pub level: Level,
    /// The needs of its check, as the numbering document abbreviates them.
    pub needs: Vec<String>,
    /// The sentence.
    pub statement: String,
    /// Its check, in words.
    pub check: String,
    /// The deviation that a check of it has to find.
    pub mutant: String,
}

impl Requirement {
    /// The places of `docs/spec.md` that have its rule; the document alone where it belongs to no section.
    #[must_use]
    pub fn places(&self) -> Vec<String> {
        let sections: Vec<_> = self.section.split(',').filter_map(|section| section.trim().strip_prefix('§')).collect();
        if sections.is_empty() {
            return vec![DOCUMENT.to_owned()];
        }
        let anchor = |section: &str| section.replace(" rule ", "-rule-").replace('.', "-");
        sections.into_iter().map(|section| format!("{DOCUMENT}#s{}", anchor(section))).collect()
    }
}

/// The specification in words.
const DOCUMENT: &str = "docs/spec.md";

/// A point that the specification leaves open, and how it is read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Interpretation {
    /// `AMB-n`.
    pub id: String,
    /// The open question.
    pub open: String,
    /// The reading of the reference server.
    pub reading: String,
    /// The suite's assertion.
    pub suite: String,
}

#[derive(Deserialize)]
struct RequirementsFile {
    requirements: Vec<Requirement>,
    ambiguities: Vec<Interpretation>,
}

const TEXT: &str = include_str!("../requirements.json");

#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
static FILE: LazyLock<RequirementsFile> =
    LazyLock::new(|| serde_json::from_str(TEXT).expect("requirements.json is whole"));

/// The SHA-256 of `requirements.json`, in hexadecimal digits.
#[must_use]
pub fn digest() -> String {
    crate::names::sha256(TEXT.as_bytes())
}

/// Every statement, in the order of the specification.
#[must_use]
pub fn requirements() -> &'static [Requirement] {
    &FILE.requirements
}

/// The readings of open points.
#[must_use]
pub fn readings() -> &'static [Interpretation] {
    &FILE.ambiguities
}

/// The statement of that id.
#[must_use]
pub fn requirement(id: &str) -> Option<&'static Requirement> {
    requirements().iter().find(|requirement| requirement.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_every_statement_says_how_it_is_checked() {
        let ids: BTreeSet<_> = requirements().iter().map(|requirement| &requirement.id).collect();
        assert_eq!(ids.len(), requirements().len());
        assert_eq!(requirements().len(), 294);
        assert_eq!(readings().len(), 45);
        assert!(requirements().iter().all(|one| !one.statement.is_empty() && !one.check.is_empty()));
    }

    #[test]
    fn every_place_of_a_statement_is_in_the_document() {
        // A package without the repository around it has no document.
        let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/spec.md"));
        let Ok(document) = document else { return };
        for one in requirements() {
            for place in one.places() {
                let anchor = place.split_once('#').map(|(_, anchor)| format!("<a id=\"{anchor}\">"));
                assert!(anchor.is_none_or(|anchor| document.contains(&anchor)), "{}: {place}", one.id);
            }
        }
    }
}

//! Facts about a run that every report states: without them, a verdict says nothing.

use super::Report;
use crate::verdict::Verdict;

/// A fact about a run.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) text: String,
}

impl Report {
    /// Verdict, selection, level, claims, profile, versions, times and commit, each with its name.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let listed = |all: &[String]| if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        let unknown = || "not stated".to_owned();
        let claims: Vec<_> = self.claims.iter().map(ToString::to_string).collect();
        let profile = match (&self.profile.name, &self.profile.digest) {
            (Some(name), Some(digest)) => format!("{name} (SHA-256 {digest})"),
            (Some(name), None) => name.clone(),
            (None, _) => unknown(),
        };
        let only = &self.selection.only;
        let specification = &self.specification;
        let mut facts = vec![
            ("verdict", self.verdict.to_string()),
            ("deployment", self.base_url.clone()),
            ("commit", self.commit.clone().unwrap_or_else(unknown)),
            ("profile", profile),
            ("selection", if only.is_empty() { "every check".to_owned() } else { only.join(", ") }),
            ("level", self.selection.level.to_owned()),
            ("claims", listed(&claims)),
            ("suite", format!("l10n-testkit {}", self.suite_version)),
            (
                "specification",
                format!(
                    "{}, {} statements, SHA-256 {}",
                    specification.version, specification.statements, specification.digest
                ),
            ),
            ("run", self.run_id.clone()),
            ("began", self.started_at.clone()),
            ("ended", self.ended_at.clone()),
        ];
        if !self.expected.is_empty() {
            facts.push(("expected not to pass", listed(&self.expected)));
        }
        if self.verdict == Verdict::Stale {
            facts.push(("stale expectations", self.stale.join("; ")));
        }
        for missing in self.not_claimed.iter().filter(|one| one.of_core) {
            facts.push(("not claimed of core", format!("{}: {}", missing.claim, missing.statements.join(", "))));
        }
        facts.into_iter().map(|(name, text)| Fact { name, text }).collect()
    }
}

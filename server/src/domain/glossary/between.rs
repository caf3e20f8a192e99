//! The terms that matter for translations from one language into another.

use std::collections::HashSet;
use std::sync::Arc;

use l10n_api_types::ProjectId;
use l10n_api_types::glossary::GlossaryRule;
use l10n_formats::text::checks::glossary::{Glossary, Term as CheckedTerm};

use super::all;
use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::glossary::{GlossaryOwner, Term};
use crate::store::projects::{self, Project};

/// The glossary for translations of a project's texts: its own terms, then those of its workspace that it does not have.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn between(
    tx: &mut Tx,
    project: &ProjectId,
    source: &str,
    target: &str,
) -> Result<Arc<Glossary>, ServiceError> {
    Ok(Lists::of(tx, project).await?.between(source, target))
}

/// The lists that hold for a project.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    own: Vec<Term>,
    shared: Vec<Term>,
}

impl Lists {
    /// The lists of the project with this id, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub(crate) async fn of(tx: &mut Tx, project: &ProjectId) -> Result<Self, ServiceError> {
        match projects::find(tx, project).await? {
            Some(project) => Self::read(tx, &project).await,
            None => Ok(Self::default()),
        }
    }

    /// Reads a project's own list and that of its workspace.
    pub(super) async fn read(tx: &mut Tx, project: &Project) -> Result<Self, ServiceError> {
        let own = all(tx, GlossaryOwner::Project(&project.id)).await?;
        let shared = all(tx, GlossaryOwner::Workspace(&project.workspace_id)).await?;
        Ok(Self { own, shared })
    }

    /// The glossary for translations between two languages.
    pub(crate) fn between(&self, source: &str, target: &str) -> Arc<Glossary> {
        Arc::new(Glossary::new(self.terms(source, target).collect()))
    }

    /// The terms that matter for translations between two languages, the project's own first.
    pub(super) fn terms(&self, source: &str, target: &str) -> impl Iterator<Item = CheckedTerm> {
        let known: HashSet<(&str, &str)> = self.own.iter().map(name).collect();
        let others = self.shared.iter().filter(move |row| !known.contains(&name(row)));
        self.own.iter().chain(others).filter_map(move |row| checked(row, source, target))
    }
}

/// The language and the text that a list has once.
fn name(row: &Term) -> (&str, &str) {
    (&row.language, &row.term)
}

/// A term, if it matters for these languages.
fn checked(row: &Term, source: &str, target: &str) -> Option<CheckedTerm> {
    let of_texts = if row.rule == GlossaryRule::Forbidden { target } else { source };
    if !holds_for(&row.language, of_texts) {
        return None;
    }
    let translations = row.translations.0.iter().filter(|(code, _)| holds_for(code, target));
    // The longest tag is the closest one.
    let translation = translations.max_by_key(|(code, _)| code.len()).map(|(_, text)| text.clone());
    let note = row.note.clone();
    Some(CheckedTerm { term: row.term.clone(), rule: row.rule, case_sensitive: row.case_sensitive, translation, note })
}

/// Returns whether what is said of a language holds for another one: the same, or one of its regions and variants. Another
/// script is another spelling.
pub(crate) fn holds_for(language: &str, other: &str) -> bool {
    let Some(rest) = other.strip_prefix(language) else { return false };
    let mut subtags = rest.split('-').skip(1);
    let is_script = |subtag: &str| subtag.len() == 4 && subtag.bytes().all(|byte| byte.is_ascii_alphabetic());
    // Chinese is written in another script there, which its tags need not say.
    let implies_script = |subtag: &str| language == "zh" && ["TW", "HK", "MO"].contains(&subtag);
    rest.is_empty() || rest.starts_with('-') && !subtags.any(|subtag| is_script(subtag) || implies_script(subtag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_stands_for_its_regions_and_not_for_other_scripts() {
        for (language, other) in
            [("es", "es"), ("es", "es-MX"), ("zh", "zh-CN"), ("de", "de-x-formal"), ("sr-Latn", "sr-Latn-RS")]
        {
            assert!(holds_for(language, other), "{language} {other}");
        }
        for (language, other) in
            [("es", "est"), ("es-MX", "es"), ("zh", "zh-Hant"), ("zh", "zh-TW"), ("sr", "sr-Latn"), ("de", "en")]
        {
            assert!(!holds_for(language, other), "{language} {other}");
        }
    }
}

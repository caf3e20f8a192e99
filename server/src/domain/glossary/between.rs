//! The terms that matter for translations from one language into another.

use std::collections::HashSet;
use std::sync::Arc;

use l10n_api_types::ProjectId;
use l10n_api_types::glossary::GlossaryRule;
use l10n_formats::text::checks::glossary::{Glossary, Term as CheckedTerm, TermText};

use super::all;
use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::glossary::{GlossaryOwner, Term};
use crate::store::projects::{self, Project};

/// The lists that hold for a project: its own terms, then those of its workspace that it does not have.
#[derive(Debug, Default)]
pub(super) struct Lists(Vec<ListedTerm>);

/// A term of a list, in all languages.
#[derive(Debug)]
struct ListedTerm {
    language: Arc<str>,
    term: TermText,
    rule: GlossaryRule,
    case_sensitive: bool,
    translations: Box<[(Arc<str>, TermText)]>,
    note: Option<Arc<str>>,
    is_own: bool,
}

impl Lists {
    /// The lists of the project with this id, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub(super) async fn of(tx: &mut Tx, project: &ProjectId) -> Result<Self, ServiceError> {
        match projects::find(tx, project).await? {
            Some(project) => Self::read(tx, &project).await,
            None => Ok(Self::default()),
        }
    }

    /// Reads a project's own list and that of its workspace.
    pub(super) async fn read(tx: &mut Tx, project: &Project) -> Result<Self, ServiceError> {
        let own = all(tx, GlossaryOwner::Project(&project.id)).await?;
        let mut shared = all(tx, GlossaryOwner::Workspace(&project.workspace_id)).await?;
        let known: HashSet<(&str, &str)> = own.iter().map(name).collect();
        shared.retain(|row| !known.contains(&name(row)));
        let mut languages = Languages::default();
        let own = own.iter().map(|row| (row, true));
        let all = own.chain(shared.iter().map(|row| (row, false)));
        Ok(Self(all.map(|(row, is_own)| ListedTerm::of(row, is_own, &mut languages)).collect()))
    }

    /// The number of terms.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Bytes that they hold.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(ListedTerm::bytes).sum()
    }

    /// The glossary for translations between two languages.
    pub(super) fn between(&self, source: &str, target: &str) -> Arc<Glossary> {
        Arc::new(Glossary::new(self.terms(source, target)))
    }

    /// The terms that matter for translations between two languages, the project's own first.
    pub(super) fn terms(&self, source: &str, target: &str) -> impl Iterator<Item = CheckedTerm> {
        self.0.iter().filter_map(move |term| term.checked(source, target))
    }
}

/// The language and the text that a list has once.
fn name(row: &Term) -> (&str, &str) {
    (&row.language, &row.term)
}

/// Codes of languages, each once.
#[derive(Default)]
struct Languages(HashSet<Arc<str>>);

impl Languages {
    fn code(&mut self, code: &str) -> Arc<str> {
        if let Some(known) = self.0.get(code) {
            return Arc::clone(known);
        }
        let code: Arc<str> = code.into();
        self.0.insert(Arc::clone(&code));
        code
    }
}

impl ListedTerm {
    fn of(row: &Term, is_own: bool, languages: &mut Languages) -> Self {
        let translations = row.translations.0.iter();
        Self {
            language: languages.code(&row.language),
            term: row.term.as_str().into(),
            rule: row.rule,
            case_sensitive: row.case_sensitive,
            translations: translations.map(|(code, text)| (languages.code(code), text.as_str().into())).collect(),
            note: row.note.as_deref().map(Into::into),
            is_own,
        }
    }

    fn bytes(&self) -> usize {
        let translation = |(_, text): &(Arc<str>, TermText)| size_of::<(Arc<str>, TermText)>() + text.bytes();
        let translations: usize = self.translations.iter().map(translation).sum();
        size_of_val(self) + self.term.bytes() + self.note.as_deref().map_or(0, str::len) + translations
    }

    /// The term, if it matters for these languages.
    fn checked(&self, source: &str, target: &str) -> Option<CheckedTerm> {
        let of_texts = if self.rule == GlossaryRule::Forbidden { target } else { source };
        if !holds_for(&self.language, of_texts) {
            return None;
        }
        let translations = self.translations.iter().filter(|(code, _)| holds_for(code, target));
        // The longest tag is the closest one.
        let translation = translations.max_by_key(|(code, _)| code.len()).map(|(_, text)| text.clone());
        Some(CheckedTerm {
            term: self.term.clone(),
            rule: self.rule,
            case_sensitive: self.case_sensitive,
            translation,
            note: self.note.clone(),
            is_own: self.is_own,
        })
    }
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

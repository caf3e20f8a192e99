//! The progress of a project's translations by language. It is added up from counts that triggers keep, so that it costs the
//! same with ten keys and with a million.

use std::collections::HashMap;

use l10n_api_types::State;

use super::ServiceError;
use crate::store::projects::Project;
use crate::store::{Tx, counters, languages};

/// Active keys in a target language, each in one of these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct LanguageProgress {
    /// BCP 47.
    pub language: String,
    /// A person has reviewed the translation.
    pub reviewed: i64,
    /// It is translated, and nobody has reviewed it.
    pub translated: i64,
    /// A check holds it back, or a person asked for a review.
    pub needs_review: i64,
    /// The source has changed since.
    pub stale: i64,
    /// There is no translation.
    pub missing: i64,
}

/// The progress of each target language of a project, in the project's order of languages.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn of_project(tx: &mut Tx, project: &Project) -> Result<Vec<LanguageProgress>, ServiceError> {
    let mut counts: HashMap<String, Vec<counters::TranslationCount>> = HashMap::new();
    for count in counters::translations(tx, &project.id).await? {
        counts.entry(count.language.clone()).or_default().push(count);
    }
    let targets = languages::list(tx, &project.id).await?.into_iter().filter(|language| !language.is_base);
    let progress = targets.map(|language| {
        let counts = counts.remove(&language.code).unwrap_or_default();
        of_language(language.code, project.key_count, &counts)
    });
    Ok(progress.collect())
}

fn of_language(language: String, keys: i64, counts: &[counters::TranslationCount]) -> LanguageProgress {
    let mut progress = LanguageProgress { language, missing: keys, ..LanguageProgress::default() };
    for count in counts {
        let fresh = count.number - count.stale;
        match count.state {
            State::Reviewed => progress.reviewed += fresh,
            State::Translated => progress.translated += fresh,
            State::NeedsReview => progress.needs_review += fresh,
            // `Missing`, which no row says.
            _ => continue,
        }
        progress.stale += count.stale;
        progress.missing -= count.number;
    }
    progress.missing = progress.missing.max(0);
    progress
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_counted_once_and_a_stale_translation_by_that_alone() {
        let count =
            |state, number, stale| counters::TranslationCount { language: "de".to_owned(), state, number, stale };
        let counts = [count(State::Reviewed, 5, 2), count(State::Translated, 10, 1), count(State::NeedsReview, 3, 3)];
        let progress = of_language("de".to_owned(), 20, &counts);
        let expected = LanguageProgress {
            language: "de".to_owned(),
            reviewed: 3,
            translated: 9,
            needs_review: 0,
            stale: 6,
            missing: 2,
        };
        assert_eq!(progress, expected);
        assert_eq!(of_language("fr".to_owned(), 7, &[]).missing, 7);
    }
}

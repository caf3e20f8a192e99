//! The state of documents in the project's languages.

use std::collections::{BTreeMap, HashMap, HashSet};

use l10n_api_types::content::{DocumentLanguage, DocumentState};
use l10n_api_types::{ProjectId, State};
use l10n_formats::SourceHash;

use crate::compute::{MANY, compute};
use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::documents::Document;
use crate::store::languages::Language;
use crate::store::segment_translations::{self, TranslationScope};

/// The state of each of these documents in each language of the project but its own, in the order of both.
pub(super) async fn of_documents(
    tx: &mut Tx,
    project_id: &ProjectId,
    documents: &[Document],
    languages: &[Language],
) -> Result<Vec<Vec<DocumentLanguage>>, ServiceError> {
    let mut standing: Vec<Vec<DocumentLanguage>> = vec![Vec::new(); documents.len()];
    let is_long = documents.iter().map(|document| document.segments.0.len()).sum::<usize>() >= MANY;
    let by_source = compute(is_long, || by_source(documents));
    for language in languages {
        for (source_language, hashes) in &by_source {
            if *source_language == language.code {
                continue;
            }
            let pair = TranslationScope { project_id, source_language, language: &language.code };
            let rows = segment_translations::states(tx, pair, hashes).await?;
            compute(is_long, || {
                let states: HashMap<SourceHash, State> = rows.into_iter().map(|row| (row.hash, row.state)).collect();
                let own = documents.iter().zip(&mut standing);
                for (document, standing) in own.filter(|(document, _)| document.language == *source_language) {
                    standing.push(in_language(&language.code, &document.segments.0, &states));
                }
            });
        }
    }
    Ok(standing)
}

/// The distinct segments of documents, by the language that they are written in.
fn by_source(documents: &[Document]) -> Vec<(&str, Vec<SourceHash>)> {
    let mut by_source: BTreeMap<&str, HashSet<SourceHash>> = BTreeMap::new();
    for document in documents {
        by_source.entry(&document.language).or_default().extend(&document.segments.0);
    }
    by_source.into_iter().map(|(language, hashes)| (language, hashes.into_iter().collect())).collect()
}

fn in_language(code: &str, segments: &[SourceHash], states: &HashMap<SourceHash, State>) -> DocumentLanguage {
    let (mut translated, mut held) = (0, false);
    for state in segments.iter().filter_map(|hash| states.get(hash)) {
        translated += 1;
        held |= *state == State::NeedsReview;
    }
    let state = match (translated, held) {
        (0, _) if !segments.is_empty() => DocumentState::Missing,
        (translated, _) if translated < segments.len() => DocumentState::Outdated,
        (_, true) => DocumentState::Held,
        (_, false) => DocumentState::Translated,
    };
    DocumentLanguage { code: code.into(), state, segments: segments.len() as u64, translated: translated as u64 }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Content;

    use super::*;

    fn state(segments: &str, translated: &[(char, State)]) -> DocumentState {
        let hash = |text: char| SourceHash::of(&Content::Text(text.into()));
        let segments: Vec<_> = segments.chars().map(hash).collect();
        let states = translated.iter().map(|(text, state)| (hash(*text), *state)).collect();
        in_language("de", &segments, &states).state
    }

    #[test]
    fn a_document_stands_as_its_segments_do() {
        let (done, wrong) = (State::Translated, State::NeedsReview);
        assert_eq!(state("ab", &[]), DocumentState::Missing);
        assert_eq!(state("ab", &[('a', wrong)]), DocumentState::Outdated);
        assert_eq!(state("aab", &[('a', done), ('b', wrong)]), DocumentState::Held);
        assert_eq!(state("aab", &[('a', done), ('b', State::Reviewed)]), DocumentState::Translated);
        assert_eq!(state("", &[]), DocumentState::Translated, "there is nothing to translate");
    }
}

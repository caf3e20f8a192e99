//! Selects the languages in which a document is published.

use std::collections::HashMap;

use l10n_api_types::State;
use l10n_formats::SourceHash;

use crate::store::document_versions;
use crate::store::documents::Document;
use crate::store::segment_translations::SegmentTranslation;

/// The translations of some documents' segments, by source and target language.
pub(super) type SegmentTranslations = HashMap<(String, String), HashMap<SourceHash, SegmentTranslation>>;

/// The languages that a version of a document would have, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Languages(Vec<String>),
    Held,
    Skipped,
}

/// The scope of a publish in these languages for a document whose live version has the files `live`.
pub(super) fn scope(
    document: &Document,
    languages: &[String],
    live: &[document_versions::LanguageFile],
    translations: &SegmentTranslations,
) -> Scope {
    let (mut targets, mut held) = (Vec::new(), false);
    let mut anything = false;
    for language in languages.iter().filter(|language| **language != document.language) {
        let known = translations.get(&(document.language.clone(), language.clone()));
        let state = |hash: &SourceHash| known.and_then(|known| known.get(hash)).map(|known| known.state);
        let segments = &document.segments.0;
        let translated = segments.iter().filter(|hash| state(hash).is_some()).count();
        let is_missing = translated == 0 && !segments.is_empty();
        anything |= !is_missing;
        let is_live = live.iter().any(|file| file.language == *language);
        if is_missing && !is_live {
            continue;
        }
        held |= translated < segments.len();
        held |= segments.iter().any(|hash| state(hash) == Some(State::NeedsReview));
        targets.push(language.clone());
    }
    match (anything, held) {
        (false, _) => Scope::Skipped,
        (true, true) => Scope::Held,
        (true, false) => Scope::Languages(targets),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use l10n_api_types::content::{DocumentFormat, SegmentCounts};
    use l10n_api_types::{Content, Timestamp};

    use super::*;
    use crate::store::row::Json;

    fn hash(text: char) -> SourceHash {
        SourceHash::of(&Content::Text(text.into()))
    }

    pub(in super::super) fn document(characters: i64, segments: &str) -> Document {
        Document {
            id: "doc_1".to_owned(),
            external_id: None,
            title: None,
            format: DocumentFormat::Text,
            language: "en".to_owned(),
            source_id: "cvr_1".into(),
            live_version_id: None,
            live_published_at: None,
            own_title: None,
            rendered_from: None,
            source_sha256: None,
            characters,
            segments: Json(segments.chars().map(hash).collect()),
            counts: Json(SegmentCounts::default()),
            archived_at: None,
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
        }
    }

    /// The scope of a document in `de` and `fr`: each state is that of the segments `a`, `b`, …; `.` is none.
    fn becomes(segments: &str, de: &str, fr: &str, live: &[&str]) -> String {
        let mut translations = SegmentTranslations::new();
        for (language, states) in [("de", de), ("fr", fr)] {
            let known = segments.chars().zip(states.chars()).filter(|(_, state)| *state != '.');
            let known = known.map(|(text, state)| {
                let state = if state == '!' { State::NeedsReview } else { State::Translated };
                (hash(text), SegmentTranslation { hash: hash(text), text: String::new(), state })
            });
            translations.insert(("en".to_owned(), language.to_owned()), known.collect());
        }
        let file =
            |language: &&str| document_versions::LanguageFile { language: (*language).to_owned(), sha256: [0; 32] };
        let live: Vec<_> = live.iter().map(file).collect();
        let languages = ["en", "de", "fr"].map(str::to_owned);
        match scope(&document(0, segments), &languages, &live, &translations) {
            Scope::Languages(languages) => languages.join(" "),
            Scope::Held => "held".to_owned(),
            Scope::Skipped => "skipped".to_owned(),
        }
    }

    #[test]
    fn a_document_moves_in_the_languages_that_it_is_translated_into_as_a_whole() {
        assert_eq!(becomes("ab", "..", "..", &[]), "skipped");
        assert_eq!(becomes("ab", "xx", "xx", &[]), "de fr");
        assert_eq!(becomes("ab", "xx", "..", &[]), "de");
        assert_eq!(becomes("ab", "xx", "x.", &[]), "held");
        assert_eq!(becomes("ab", "xx", "x!", &[]), "held");
        assert_eq!(becomes("ab", "xx", "..", &["en", "fr"]), "held", "what is live is not taken away");
        assert_eq!(becomes("ab", "..", "..", &["en", "fr"]), "skipped");
        assert_eq!(becomes("", "", "", &[]), "de fr", "there is nothing to translate");
    }
}

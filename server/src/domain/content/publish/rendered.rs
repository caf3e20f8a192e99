//! What a publish would make of documents.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::State;
use l10n_api_types::content::DocumentFormat;
use sha2::{Digest as _, Sha256};

use crate::documents;
use crate::domain::content::parsed::engine_format;
use crate::domain::{Caller, ServiceError};
use crate::source_hash::SourceHash;
use crate::store::documents::Document;
use crate::store::segment_translations::{self, Pair, Translation};
use crate::store::{Tx, document_sources, document_versions};

/// Most that a text of a document may have once it is rendered, in bytes: as much as can be pushed.
const MOST_BYTES: usize = l10n_api_types::content::CONTENT_BODY_CAP;
/// Documents are rendered together as long as they have no more characters than this, so that their translations are asked
/// for in one go and never fill the memory.
const GROUP: i64 = 256 * 1024;

/// What a document was rendered to, and of which state of it.
#[derive(Debug)]
pub(super) struct Rendered {
    source_id: String,
    live_version_id: Option<String>,
    pub(super) outcome: Outcome,
}

/// What becomes of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A version with these files.
    Files(Vec<NewFile>),
    /// A check holds it back, or a language is translated in part only.
    Held,
    /// A text has more than [`MOST_BYTES`].
    TooLarge,
    /// These files are live.
    Unchanged,
    /// Nothing is translated.
    Skipped,
}

/// A file of a version to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NewFile {
    pub(super) language: String,
    pub(super) sha256: [u8; 32],
    /// `None`: it is stored already.
    pub(super) content: Option<Vec<u8>>,
}

impl Rendered {
    /// Whether a document is as it was.
    pub(super) fn is_of(&self, document: &Document) -> bool {
        self.source_id == document.source_id && self.live_version_id == document.live_version_id
    }

    /// Bytes of its texts.
    pub(super) fn bytes(&self) -> usize {
        let Outcome::Files(files) = &self.outcome else { return 0 };
        files.iter().filter_map(|file| file.content.as_ref()).map(Vec::len).sum()
    }
}

/// Documents in their order, cut where they have many characters; each group has one at least.
pub(super) fn groups(documents: &[Document]) -> impl Iterator<Item = &[Document]> {
    let mut left = documents;
    std::iter::from_fn(move || {
        let mut characters = 0;
        let fits = |document: &&Document| {
            characters += document.characters;
            characters <= GROUP
        };
        let size = left.iter().take_while(fits).count().max(1).min(left.len());
        let (group, rest) = left.split_at_checked(size)?;
        left = rest;
        (!group.is_empty()).then_some(group)
    })
}

/// What the segments of some documents say, by the language that they are written in and the other one.
type Translations = HashMap<(String, String), HashMap<SourceHash, Translation>>;

/// Renders documents in these languages, in their order.
pub(super) async fn render(
    tx: &mut Tx,
    caller: &Caller,
    languages: &[String],
    documents: &[&Document],
) -> Result<Vec<Rendered>, ServiceError> {
    let translations = Arc::new(translations(tx, caller, languages, documents).await?);
    let mut all = Vec::with_capacity(documents.len());
    for document in documents {
        let live = match &document.live_version_id {
            Some(live) => document_versions::files(tx, live).await?,
            None => Vec::new(),
        };
        let outcome = match scope(document, languages, &live, &translations) {
            Scope::Held => Outcome::Held,
            Scope::Skipped => Outcome::Skipped,
            Scope::Languages(targets) => {
                let body = document_sources::body(tx, &document.id, &document.source_id).await?;
                let body = body.ok_or_else(|| ServiceError::internal("a document has no source"))?;
                let (format, own) = (document.format, document.language.clone());
                let (known, written) = (Arc::clone(&translations), targets.clone());
                let work = move || write(format, &own, body, &written, &known);
                let written = tokio::task::spawn_blocking(work).await.map_err(ServiceError::internal)?;
                match written {
                    Ok(files) => against_live(files, live, languages),
                    Err(outcome) => outcome,
                }
            }
        };
        let (source_id, live_version_id) = (document.source_id.clone(), document.live_version_id.clone());
        all.push(Rendered { source_id, live_version_id, outcome });
    }
    Ok(all)
}

async fn translations(
    tx: &mut Tx,
    caller: &Caller,
    languages: &[String],
    documents: &[&Document],
) -> Result<Translations, ServiceError> {
    let mut hashes: BTreeMap<&str, HashSet<SourceHash>> = BTreeMap::new();
    for document in documents {
        hashes.entry(&document.language).or_default().extend(&document.segments.0);
    }
    let mut translations = Translations::new();
    for (source_language, hashes) in hashes {
        let hashes: Vec<SourceHash> = hashes.into_iter().collect();
        for language in languages.iter().filter(|language| *language != source_language) {
            let pair = Pair { project_id: caller.project.as_str(), source_language, language };
            let found = segment_translations::find(tx, pair, &hashes).await?;
            let found = found.into_iter().map(|translation| (translation.hash, translation)).collect();
            translations.insert((source_language.to_owned(), language.clone()), found);
        }
    }
    Ok(translations)
}

/// The languages that a version of a document would have, or why there is none.
enum Scope {
    Languages(Vec<String>),
    Held,
    Skipped,
}

fn scope(
    document: &Document,
    languages: &[String],
    live: &[document_versions::File],
    translations: &Translations,
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

/// Writes a document in its own language and in others. Not for the threads that serve requests.
fn write(
    format: DocumentFormat,
    own: &str,
    body: String,
    languages: &[String],
    translations: &Translations,
) -> Result<Vec<NewFile>, Outcome> {
    let file = |language: &str, text: String| {
        let content = text.into_bytes();
        NewFile { language: language.to_owned(), sha256: Sha256::digest(&content).into(), content: Some(content) }
    };
    let mut files = Vec::with_capacity(languages.len() + 1);
    let document = documents::parse(engine_format(format), &body).map_err(|_| Outcome::Held)?;
    for language in languages {
        let known = translations.get(&(own.to_owned(), language.clone()));
        let text = |segment: &documents::Segment| {
            known.and_then(|known| known.get(&segment.hash)).map(|translation| translation.text.as_str())
        };
        let text = document.render(text).map_err(|_| Outcome::Held)?;
        if text.len() > MOST_BYTES {
            return Err(Outcome::TooLarge);
        }
        files.push(file(language, text));
    }
    files.push(file(own, body));
    Ok(files)
}

/// Adds what is live in languages that were not asked for, and looks whether anything is left to do.
fn against_live(mut files: Vec<NewFile>, live: Vec<document_versions::File>, languages: &[String]) -> Outcome {
    for document_versions::File { language, sha256 } in &live {
        match files.iter_mut().find(|file| file.language == *language) {
            Some(file) if file.sha256 == *sha256 => file.content = None,
            Some(_) => {}
            None if languages.contains(language) => {}
            None => files.push(NewFile { language: language.clone(), sha256: *sha256, content: None }),
        }
    }
    files.sort_by(|one, other| one.language.cmp(&other.language));
    let same = |(file, live): (&NewFile, &document_versions::File)| {
        file.language == live.language && file.sha256 == live.sha256
    };
    match files.len() == live.len() && files.iter().zip(&live).all(same) {
        true => Outcome::Unchanged,
        false => Outcome::Files(files),
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::content::SegmentCounts;
    use l10n_api_types::{Content, Timestamp};
    use proptest::prelude::*;

    use super::*;
    use crate::store::row::Json;

    fn hash(text: char) -> SourceHash {
        SourceHash::of(&Content::Text(text.into()))
    }

    fn document(characters: i64, segments: &str) -> Document {
        Document {
            id: "doc_1".to_owned(),
            external_id: None,
            title: None,
            format: DocumentFormat::Text,
            language: "en".to_owned(),
            source_id: "cvr_1".to_owned(),
            live_version_id: None,
            live_published_at: None,
            own_title: None,
            characters,
            segments: Json(segments.chars().map(hash).collect()),
            counts: Json(SegmentCounts::default()),
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
        }
    }

    proptest! {
        #[test]
        fn groups_are_the_documents_in_their_order_and_have_no_more_characters_than_one_or_the_limit(
            sizes in proptest::collection::vec(0..2 * GROUP, 0..20)
        ) {
            let documents: Vec<Document> = sizes.iter().map(|size| document(*size, "")).collect();
            let groups: Vec<Vec<i64>> =
                groups(&documents).map(|group| group.iter().map(|document| document.characters).collect()).collect();
            prop_assert!(groups.iter().all(|group| group.len() == 1 || group.iter().sum::<i64>() <= GROUP));
            prop_assert!(groups.iter().all(|group| !group.is_empty()));
            prop_assert_eq!(groups.concat(), sizes);
        }
    }

    /// What becomes of a document in `de` and `fr`: each state is that of the segments `a`, `b`, …; `.` is none.
    fn becomes(segments: &str, de: &str, fr: &str, live: &[&str]) -> String {
        let mut translations = Translations::new();
        for (language, states) in [("de", de), ("fr", fr)] {
            let known = segments.chars().zip(states.chars()).filter(|(_, state)| *state != '.');
            let known = known.map(|(text, state)| {
                let state = if state == '!' { State::NeedsReview } else { State::Translated };
                (hash(text), Translation { hash: hash(text), text: String::new(), state })
            });
            translations.insert(("en".to_owned(), language.to_owned()), known.collect());
        }
        let file = |language: &&str| document_versions::File { language: (*language).to_owned(), sha256: [0; 32] };
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

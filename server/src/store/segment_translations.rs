//! Translations of the segments of documents. A segment is identified by its hash, in any document.

use l10n_api_types::{Issue, Origin, ProjectId, State};
use l10n_formats::SourceHash;
use serde::{Deserialize, Serialize};

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A translation. Its state is never [`State::Missing`]: what is missing has no row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SegmentTranslation {
        /// Hash of the segment
        pub hash: SourceHash,
        /// Its text
        pub text: String,
        /// Its state
        pub state: State,
    }
}

row! {
    /// The standing of a translation.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SegmentTranslationState {
        /// Hash of the segment
        pub hash: SourceHash,
        /// Its state
        pub state: State,
        /// Its origin
        pub origin: Origin,
        /// The time of its last change
        pub updated_at: Timestamp,
    }
}

row! {
    /// The issues that hold a translation back.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Findings {
        /// Hash of the segment
        pub hash: SourceHash,
        /// Issues that the checks found
        pub issues: Json<Vec<Issue>>,
    }
}

row! {
    /// A translation with its findings.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CheckedTranslation {
        /// The language of the segment
        pub source_language: String,
        /// The language of the translation
        pub language: String,
        /// Hash of the segment
        pub hash: SourceHash,
        /// Its text
        pub text: String,
        /// Its state
        pub state: State,
        /// Issues that the checks found
        pub issues: Json<Vec<Issue>>,
        /// The time of its last change
        pub updated_at: Timestamp,
    }
}

/// The place of a translation among those of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentPlace {
    /// The language of the segment
    pub source_language: String,
    /// The language of the translation
    pub language: String,
    /// Hash of the segment
    pub hash: SourceHash,
}

impl CheckedTranslation {
    /// Its place.
    #[must_use]
    pub fn place(&self) -> SegmentPlace {
        SegmentPlace {
            source_language: self.source_language.clone(),
            language: self.language.clone(),
            hash: self.hash,
        }
    }
}

statements! {
    FIND = values "SELECT hash, text, state FROM segment_translations WHERE project_id = $1 AND source_language = $2 \
        AND language = $3 AND hash IN (" each "?" then ")";
    STANDINGS = values "SELECT hash, state, origin, updated_at FROM segment_translations WHERE project_id = $1 \
        AND source_language = $2 AND language = $3 AND hash IN (" each "?" then ")";
    FINDINGS = values "SELECT hash, issues FROM segment_translations WHERE project_id = $1 \
        AND source_language = $2 AND language = $3 AND hash IN (" each "?" then ")";
    SIZES_AFTER = "SELECT CAST(octet_length(t.text) + octet_length(t.issues) + COALESCE(octet_length(s.text), 0) AS BIGINT) \
        FROM segment_translations t LEFT JOIN segments s ON s.project_id = t.project_id AND s.language = t.source_language \
        AND s.hash = t.hash WHERE t.project_id = $1 AND (t.source_language, t.language, t.hash) > ($2, $3, $4) \
        ORDER BY t.source_language, t.language, t.hash LIMIT $5";
    AFTER = "SELECT source_language, language, hash, text, state, issues, updated_at FROM segment_translations \
        WHERE project_id = $1 AND (source_language, language, hash) > ($2, $3, $4) \
        ORDER BY source_language, language, hash LIMIT $5";
    CHECKED = values "SELECT source_language, language, hash, text, state, issues, updated_at FROM segment_translations \
        WHERE project_id = $1 AND source_language = $2 AND language = $3 AND hash IN (" each "?" then ")";
    SET_ISSUES = "UPDATE segment_translations SET issues = $5 WHERE project_id = $1 AND source_language = $2 \
        AND language = $3 AND hash = $4";
    UPSERT = values "INSERT INTO segment_translations (project_id, source_language, language, hash, text, state, issues, \
        origin, engine, updated_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (project_id, source_language, language, hash) DO UPDATE SET text = excluded.text, \
        state = excluded.state, issues = excluded.issues, origin = excluded.origin, engine = excluded.engine, \
        updated_at = excluded.updated_at";
}

/// The languages of some translations, and whose they are.
#[derive(Debug, Clone, Copy)]
pub struct TranslationScope<'a> {
    /// The project
    pub project_id: &'a ProjectId,
    /// The language of the segments
    pub source_language: &'a str,
    /// The language of the translations
    pub language: &'a str,
}

/// A translation to write over whatever is there.
#[derive(Debug, Clone)]
pub struct NewSegmentTranslation<'a> {
    /// Hash of the segment
    pub hash: SourceHash,
    /// Its text
    pub text: &'a str,
    /// Its state
    pub state: State,
    /// Issues that the checks found
    pub issues: &'a [Issue],
    /// Its origin
    pub origin: Origin,
    /// The engine that made it
    pub engine: Option<&'a str>,
}

/// Writes translations, each hash once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn upsert(
    tx: &mut Tx,
    pair: TranslationScope<'_>,
    translations: &[NewSegmentTranslation<'_>],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut rows = Vec::with_capacity(translations.len());
    for new in translations {
        rows.push((new, to_json("segment_translations.issues", new.issues)?));
    }
    execute_values!(tx, UPSERT, [], rows, |(new, issues)| [
        pair.project_id.as_str(),
        pair.source_language,
        pair.language,
        new.hash.as_bytes(),
        new.text,
        new.state.as_str(),
        issues.as_str(),
        new.origin.as_str(),
        new.engine,
        at.as_millis(),
    ])
}

/// At most `limit` translations of a project after the one at `place`, in the order of their places.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn after(
    tx: &mut Tx,
    project_id: &ProjectId,
    place: Option<&SegmentPlace>,
    limit: i64,
) -> Result<Vec<CheckedTranslation>, StoreError> {
    let (source, language, hash) = bounds(place);
    fetch_all!(tx, CheckedTranslation, AFTER, project_id.as_str(), source, language, hash, limit)
}

/// Bytes of the translations that [`after`] returns, each with its issues and its segment, in the same order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sizes_after(
    tx: &mut Tx,
    project_id: &ProjectId,
    place: Option<&SegmentPlace>,
    limit: i64,
) -> Result<Vec<i64>, StoreError> {
    let (source, language, hash) = bounds(place);
    let sizes = fetch_all!(tx, (i64,), SIZES_AFTER, project_id.as_str(), source, language, hash, limit)?;
    Ok(sizes.into_iter().map(|(bytes,)| bytes).collect())
}

/// The values that each later place is greater than.
fn bounds(place: Option<&SegmentPlace>) -> (&str, &str, &[u8]) {
    match place {
        Some(place) => (place.source_language.as_str(), place.language.as_str(), place.hash.as_bytes()),
        None => ("", "", &[][..]),
    }
}

/// Translations into one language with their findings, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn checked(
    tx: &mut Tx,
    pair: TranslationScope<'_>,
    hashes: &[SourceHash],
) -> Result<Vec<CheckedTranslation>, StoreError> {
    let TranslationScope { project_id, source_language, language } = pair;
    fetch_values!(tx, CheckedTranslation, CHECKED, [project_id.as_str(), source_language, language], hashes, |hash| [
        hash.as_bytes()
    ])
}

/// Writes the issues of translations. Their texts stay, and so do state and time.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn set_issues(
    tx: &mut Tx,
    pair: TranslationScope<'_>,
    translations: &[(SourceHash, &[Issue])],
) -> Result<(), StoreError> {
    let TranslationScope { project_id, source_language, language } = pair;
    for (hash, issues) in translations {
        let issues = to_json("segment_translations.issues", *issues)?;
        execute!(tx, SET_ISSUES, project_id.as_str(), source_language, language, hash.as_bytes(), issues)?;
    }
    Ok(())
}

/// Translations by the hashes of their segments, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, pair: TranslationScope<'_>, hashes: &[SourceHash]) -> Result<Vec<SegmentTranslation>, StoreError> {
    fetch_values!(tx, SegmentTranslation, FIND, [pair.project_id.as_str(), pair.source_language, pair.language], hashes, |hash| [
        hash.as_bytes()
    ])
}

/// The standings of translations into one language, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn states(tx: &mut Tx, pair: TranslationScope<'_>, hashes: &[SourceHash]) -> Result<Vec<SegmentTranslationState>, StoreError> {
    fetch_values!(tx, SegmentTranslationState, STANDINGS, [pair.project_id.as_str(), pair.source_language, pair.language], hashes, |hash| [
        hash.as_bytes()
    ])
}

/// The issues of translations, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn findings(tx: &mut Tx, pair: TranslationScope<'_>, hashes: &[SourceHash]) -> Result<Vec<Findings>, StoreError> {
    fetch_values!(tx, Findings, FINDINGS, [pair.project_id.as_str(), pair.source_language, pair.language], hashes, |hash| [
        hash.as_bytes()
    ])
}

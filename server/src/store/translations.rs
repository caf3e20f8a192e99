//! Translations: what a key says in a target language.

use l10n_api_types::{Content, Issue, Origin, ProjectId, State};
use l10n_formats::SourceHash;

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A translation as a whole. Its state is never [`State::Missing`]: what is missing has no row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Translation {
        /// The key
        pub key_id: String,
        /// The language
        pub language: String,
        /// Its text
        pub content: Json<Content>,
        /// Its state
        pub state: State,
        /// Hash of the source content that it translates
        pub source_hash: SourceHash,
        /// True if the source has changed since
        pub stale: bool,
        /// Its origin
        pub origin: Origin,
        /// The engine that made it
        pub engine: Option<String>,
        /// Issues that the checks found
        pub issues: Json<Vec<Issue>>,
        /// The time of its last change
        pub updated_at: Timestamp,
    }
}

row! {
    /// The standing of a translation. A sync reads it for every key in every language, so it has no more fields than
    /// needed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TranslationState {
        /// The key
        pub key_id: String,
        /// The language
        pub language: String,
        /// Hash of the source content that it translates
        pub source_hash: SourceHash,
        /// Its state
        pub state: State,
        /// Its origin
        pub origin: Origin,
    }
}

row! {
    /// The standing of a translation into a known language, with its origin.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LanguageTranslationState {
        /// The key
        pub key_id: String,
        /// Hash of the source content that it translates
        pub source_hash: SourceHash,
        /// Its state
        pub state: State,
        /// Its origin
        pub origin: Origin,
        /// The time of its last change
        pub updated_at: Timestamp,
    }
}

row! {
    /// A translation as a publish needs it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PublishableTranslation {
        /// The language of the translation
        pub language: String,
        /// The key
        pub key_id: String,
        /// Its text
        pub content: Json<Content>,
        /// Its state
        pub state: State,
        /// Issues that the checks found
        pub issues: Json<Vec<Issue>>,
    }
}

row! {
    /// A translation into a known language, without its text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MadeTranslation {
        /// The key
        pub key_id: String,
        /// The key's `ref`
        pub name: String,
        /// Hash of the source content that it translates
        pub source_hash: SourceHash,
        /// Bytes of its text, as it is stored
        pub bytes: i64,
    }
}

row! {
    /// The lengths of a project's texts, in bytes as they are stored.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Sizes {
        /// Refs and sources of the active keys
        pub of_keys: i64,
        /// Translations into all of its languages, of archived keys too
        pub of_translations: i64,
    }
}

row! {
    /// A translation that nobody has reviewed, with its source.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Unreviewed {
        /// The key's `ref`
        pub name: String,
        /// The key's text in the base language
        pub source: Json<Content>,
        /// The translation's text
        pub content: Json<Content>,
        /// Its origin
        pub origin: Origin,
        /// The time of its last change
        pub updated_at: Timestamp,
    }
}

statements! {
    UNREVIEWED = "SELECT k.ref AS name, k.source, t.content, t.origin, t.updated_at FROM keys k \
        JOIN translations t ON t.key_id = k.id AND t.language = $2 \
        WHERE k.project_id = $1 AND k.state = 'active' AND k.ref > $3 AND NOT t.stale \
        AND (t.state = 'translated' OR (t.state = 'needs_review' AND t.issues NOT LIKE '%\"severity\":\"error\"%')) \
        AND (CAST($4 AS TEXT) IS NULL OR t.origin = $4) ORDER BY k.ref LIMIT $5";
    MARK_REVIEWED = values "UPDATE translations SET state = 'reviewed', updated_at = $2 WHERE language = $1 AND key_id IN ("
        each "?" then ")";
    PUBLISHABLE = "SELECT language, key_id, content, state, issues FROM translations WHERE project_id = $1 AND language = $2";
    PUBLISHABLE_OF_EIGHT = "SELECT language, key_id, content, state, issues FROM translations WHERE project_id = $1 \
        AND language IN ($2, $3, $4, $5, $6, $7, $8, $9)";
    STANDINGS = values "SELECT key_id, language, source_hash, state, origin FROM translations WHERE key_id IN ("
        each "?" then ")";
    STANDINGS_IN = values "SELECT key_id, source_hash, state, origin, updated_at FROM translations \
        WHERE language = $1 AND key_id IN (" each "?" then ")";
    BY_KEYS = values "SELECT key_id, language, content, state, source_hash, stale, origin, engine, issues, updated_at \
        FROM translations WHERE key_id IN (" each "?" then ")";
    BY_KEYS_AND_LANGUAGE = values "SELECT key_id, language, content, state, source_hash, stale, origin, engine, issues, \
        updated_at FROM translations WHERE language = $1 AND key_id IN (" each "?" then ")";
    MADE = values "SELECT t.key_id, k.ref AS name, t.source_hash, CAST(octet_length(t.content) AS BIGINT) AS bytes \
        FROM translations t JOIN keys k ON k.id = t.key_id WHERE t.language = $1 AND t.key_id IN (" each "?" then ")";
    SIZES = "SELECT (SELECT CAST(COALESCE(SUM(octet_length(k.ref) + octet_length(k.source)), 0) AS BIGINT) FROM keys k \
            WHERE k.project_id = $1 AND k.state = 'active') AS of_keys, \
        (SELECT CAST(COALESCE(SUM(octet_length(t.content)), 0) AS BIGINT) FROM languages l \
            JOIN translations t ON t.project_id = l.project_id AND t.language = l.code WHERE l.project_id = $1) AS of_translations";
    UPSERT = values "INSERT INTO translations (key_id, language, project_id, content, state, source_hash, stale, origin, \
        engine, issues, updated_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (key_id, language) DO UPDATE SET content = excluded.content, state = excluded.state, \
        source_hash = excluded.source_hash, stale = excluded.stale, origin = excluded.origin, engine = excluded.engine, \
        issues = excluded.issues, updated_at = excluded.updated_at";
    SET_ISSUES = padded values "UPDATE translations SET issues = v.column3 FROM (VALUES" each "(?, ?, ?)"
        then ") AS v WHERE translations.key_id = v.column1 AND translations.language = v.column2";
    MARK_STALE = values "UPDATE translations SET stale = \
        (source_hash <> (SELECT k.source_hash FROM keys k WHERE k.id = translations.key_id)) WHERE key_id IN ("
        each "?" then ")";
}

/// Writes the issues of translations, told by key and language. Their texts stay, and so do state and time.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn set_issues(tx: &mut Tx, translations: &[(&str, &str, &[Issue])]) -> Result<u64, StoreError> {
    let mut rows = Vec::with_capacity(translations.len());
    for (key_id, language, issues) in translations {
        rows.push((*key_id, *language, to_json("translations.issues", *issues)?));
    }
    execute_values!(tx, SET_ISSUES, [], rows, |(key_id, language, issues)| [*key_id, *language, issues])
}

/// A translation to write over whatever is there. It translates the present source, so it is not stale.
#[derive(Debug, Clone)]
pub struct NewTranslation<'a> {
    /// The key
    pub key_id: &'a str,
    /// The language
    pub language: &'a str,
    /// Its text
    pub content: &'a Content,
    /// Its state
    pub state: State,
    /// Hash of the source content that it translates, which is the key's present one
    pub source_hash: SourceHash,
    /// Its origin
    pub origin: Origin,
    /// The engine that made it
    pub engine: Option<&'a str>,
    /// Issues that the checks found
    pub issues: &'a [Issue],
}

/// Translations with their texts and issues as JSON.
pub(super) fn in_json<'a, 'b>(
    translations: &'a [NewTranslation<'b>],
) -> Result<Vec<(&'a NewTranslation<'b>, String, String)>, StoreError> {
    let row = |new: &'a NewTranslation<'b>| {
        Ok((new, to_json("translations.content", new.content)?, to_json("translations.issues", new.issues)?))
    };
    translations.iter().map(row).collect()
}

/// Writes translations.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn upsert(
    tx: &mut Tx,
    project_id: &ProjectId,
    translations: &[NewTranslation<'_>],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let rows = in_json(translations)?;
    execute_values!(tx, UPSERT, [], rows, |(new, content, issues)| [
        new.key_id,
        new.language,
        project_id.as_str(),
        content.as_str(),
        new.state.as_str(),
        new.source_hash.as_bytes(),
        false,
        new.origin.as_str(),
        new.engine,
        issues.as_str(),
        at.as_millis(),
    ])
}

/// The standings of these keys' translations, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn states(tx: &mut Tx, key_ids: &[&str]) -> Result<Vec<TranslationState>, StoreError> {
    fetch_values!(tx, TranslationState, STANDINGS, [], key_ids, |id| [*id])
}

/// The standings of these keys' translations into one language.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn states_in(tx: &mut Tx, key_ids: &[&str], language: &str) -> Result<Vec<LanguageTranslationState>, StoreError> {
    fetch_values!(tx, LanguageTranslationState, STANDINGS_IN, [language], key_ids, |id| [*id])
}

/// The translations of these keys into every language, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn by_keys(tx: &mut Tx, key_ids: &[&str]) -> Result<Vec<Translation>, StoreError> {
    fetch_values!(tx, Translation, BY_KEYS, [], key_ids, |id| [*id])
}

/// The translations of these keys into one language, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn by_keys_and_language(
    tx: &mut Tx,
    key_ids: &[&str],
    language: &str,
) -> Result<Vec<Translation>, StoreError> {
    fetch_values!(tx, Translation, BY_KEYS_AND_LANGUAGE, [language], key_ids, |id| [*id])
}

/// The translations of these keys into one language, without their texts, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn made(tx: &mut Tx, key_ids: &[&str], language: &str) -> Result<Vec<MadeTranslation>, StoreError> {
    fetch_values!(tx, MadeTranslation, MADE, [language], key_ids, |id| [*id])
}

/// The length of all texts of a project. It reads each of them: only for projects whose keys are few.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sizes(tx: &mut Tx, project_id: &ProjectId) -> Result<Sizes, StoreError> {
    fetch_one!(tx, Sizes, SIZES, project_id.as_str())
}

/// Active keys' fresh translations into a language that no check holds back and nobody has reviewed, drafts too: at most `most`,
/// of one origin or all, from the one after the key `after` on, in the order of refs.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn unreviewed(
    tx: &mut Tx,
    project_id: &ProjectId,
    language: &str,
    origin: Option<Origin>,
    after: &str,
    most: i64,
) -> Result<Vec<Unreviewed>, StoreError> {
    fetch_all!(tx, Unreviewed, UNREVIEWED, project_id.as_str(), language, after, origin.map(Origin::as_str), most)
}

/// Marks the translations of these keys into a language as reviewed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn mark_reviewed(tx: &mut Tx, language: &str, key_ids: &[&str], at: Timestamp) -> Result<u64, StoreError> {
    execute_values!(tx, MARK_REVIEWED, [language, at.as_millis()], key_ids, |id| [*id])
}

/// After these keys' sources were written: marks their translations as stale where they translate another source, and as
/// fresh where the source came back to what they translate.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn mark_stale(tx: &mut Tx, key_ids: &[&str]) -> Result<u64, StoreError> {
    execute_values!(tx, MARK_STALE, [], key_ids, |id| [*id])
}

/// Number of languages, at most, that [`each_publishable`] reads at once.
pub const LANGUAGES_AT_ONCE: usize = 8;

/// Every translation into the first [`LANGUAGES_AT_ONCE`] of these languages, of archived keys too, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn each_publishable(
    tx: &mut Tx,
    project_id: &ProjectId,
    languages: &[&str],
    mut take: impl FnMut(PublishableTranslation) + Send,
) -> Result<(), StoreError> {
    let (project, Some(last)) = (project_id.as_str(), languages.last()) else { return Ok(()) };
    if languages.len() == 1 {
        return fetch_each!(tx, PublishableTranslation, PUBLISHABLE, [project, last], |translation| take(translation));
    }
    // One text for any number, which stays prepared.
    let [a, b, c, d, e, f, g, h]: [&str; LANGUAGES_AT_ONCE] = std::array::from_fn(|at| *languages.get(at).unwrap_or(last));
    fetch_each!(tx, PublishableTranslation, PUBLISHABLE_OF_EIGHT, [project, a, b, c, d, e, f, g, h], |translation| take(translation))
}

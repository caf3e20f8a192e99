//! Translations that a staged run brings to keys that are there, to be written once the run is live.

use l10n_api_types::{Content, ProjectId, TrackingToken};
use l10n_formats::SourceHash;

use super::row::Json;
use super::translations::{NewTranslation, in_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// An imported translation, with the text that it translates.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct StagedImport {
        /// The key
        pub key_id: String,
        /// The language
        pub language: String,
        /// The key's text
        pub source: Json<Content>,
        /// The hash of that text
        pub source_hash: SourceHash,
        /// The translation
        pub content: Json<Content>,
        /// True if memory keeps it
        pub is_remembered: bool,
    }
}

statements! {
    INSERT = values "INSERT INTO staged_translations (tracking_token, key_id, language, project_id, content, state, \
        source_hash, origin, engine, issues, updated_at, is_remembered) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (tracking_token, key_id, language) DO UPDATE SET content = excluded.content, \
        state = excluded.state, source_hash = excluded.source_hash, origin = excluded.origin, engine = excluded.engine, \
        issues = excluded.issues, updated_at = excluded.updated_at, is_remembered = excluded.is_remembered";
    NEXT = "SELECT DISTINCT key_id FROM staged_translations WHERE tracking_token = $1 ORDER BY key_id LIMIT $2";
    NEXT_IMPORTED = "SELECT s.key_id, s.language, k.source, k.source_hash, s.content, \
        (s.is_remembered AND s.source_hash = k.source_hash) AS is_remembered \
        FROM staged_translations s JOIN keys k ON k.id = s.key_id \
        WHERE s.tracking_token = $1 ORDER BY s.key_id, s.language LIMIT $2";
    SIZES_OF_IMPORTED = "SELECT CAST(octet_length(k.source) + octet_length(s.content) AS BIGINT) FROM staged_translations s \
        JOIN keys k ON k.id = s.key_id WHERE s.tracking_token = $1 ORDER BY s.key_id, s.language LIMIT $2";
    WRITE = values "INSERT INTO translations (key_id, language, project_id, content, state, source_hash, stale, origin, \
        engine, issues, updated_at) SELECT s.key_id, s.language, s.project_id, s.content, s.state, s.source_hash, FALSE, \
        s.origin, s.engine, s.issues, s.updated_at FROM staged_translations s JOIN keys k ON k.id = s.key_id \
        WHERE s.tracking_token = $1 AND s.key_id IN (" each "?"
        then ") ON CONFLICT (key_id, language) DO UPDATE SET content = excluded.content, state = excluded.state, \
        source_hash = excluded.source_hash, stale = excluded.stale, origin = excluded.origin, engine = excluded.engine, \
        issues = excluded.issues, updated_at = excluded.updated_at \
        WHERE translations.state <> 'reviewed' AND CASE \
        WHEN EXISTS (SELECT 1 FROM staged_runs r WHERE r.tracking_token = $1 AND r.imports) \
        THEN translations.state <> 'translated' OR excluded.state <> 'needs_review' \
        OR excluded.issues LIKE '%\"severity\":\"error\"%' \
        ELSE translations.origin NOT IN ('human', 'import') END";
    DELETE = values "DELETE FROM staged_translations WHERE tracking_token = $1 AND key_id IN (" each "?" then ")";
    DELETE_SOME = "DELETE FROM staged_translations WHERE (tracking_token, key_id, language) IN \
        (SELECT tracking_token, key_id, language FROM staged_translations WHERE tracking_token = $1 \
        ORDER BY key_id, language LIMIT $2)";
}

/// Notes translations that a run brings. `remembered` says of each whether memory keeps it; of those that it does not reach,
/// memory keeps none.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(
    tx: &mut Tx,
    run: &TrackingToken,
    project_id: &ProjectId,
    translations: &[NewTranslation<'_>],
    remembered: &[bool],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let is_remembered = |at: usize| remembered.get(at).copied().unwrap_or_default();
    let rows = in_json(translations)?.into_iter().enumerate();
    let rows: Vec<_> = rows.map(|(at, (new, content, issues))| (new, content, issues, is_remembered(at))).collect();
    execute_values!(tx, INSERT, [], rows, |(new, content, issues, is_remembered)| [
        run.as_str(),
        new.key_id,
        new.language,
        project_id.as_str(),
        content.as_str(),
        new.state.as_str(),
        new.source_hash.as_bytes(),
        new.origin.as_str(),
        new.engine,
        issues.as_str(),
        at.as_millis(),
        *is_remembered,
    ])
}

/// Writes a run's translations of these keys, whose texts are as the run has them. What a person wrote or reviewed stays; an
/// import replaces what is not reviewed, and with a draft nothing that versions have.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn write(tx: &mut Tx, run: &TrackingToken, key_ids: &[&str]) -> Result<(), StoreError> {
    execute_values!(tx, WRITE, [run.as_str()], key_ids, |id| [*id])?;
    execute_values!(tx, DELETE, [run.as_str()], key_ids, |id| [*id]).map(drop)
}

/// Writes a run's translations of the next keys, so many at most; returns `false` when there are no more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn write_some(tx: &mut Tx, run: &TrackingToken, most: i64) -> Result<bool, StoreError> {
    let next = fetch_all!(tx, (String,), NEXT, run.as_str(), most)?;
    let keys: Vec<&str> = next.iter().map(|(id,)| id.as_str()).collect();
    write(tx, run, &keys).await?;
    Ok(!keys.is_empty())
}

/// Bytes of the next translations of an import, each with its source, in the order in which they are written.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sizes_of_imported(tx: &mut Tx, run: &TrackingToken, most: i64) -> Result<Vec<i64>, StoreError> {
    let sizes = fetch_all!(tx, (i64,), SIZES_OF_IMPORTED, run.as_str(), most)?;
    Ok(sizes.into_iter().map(|(bytes,)| bytes).collect())
}

/// Writes the next translations of an import, so many at most, and returns them; none when there are no more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn write_imported(tx: &mut Tx, run: &TrackingToken, most: i64) -> Result<Vec<StagedImport>, StoreError> {
    let next = fetch_all!(tx, StagedImport, NEXT_IMPORTED, run.as_str(), most)?;
    let keys: Vec<&str> = next.iter().map(|row| row.key_id.as_str()).collect();
    write(tx, run, &keys).await?;
    Ok(next)
}

/// Deletes so many translations of a run at most; returns `false` when there are no more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn delete_some(tx: &mut Tx, run: &TrackingToken, most: i64) -> Result<bool, StoreError> {
    Ok(execute!(tx, DELETE_SOME, run.as_str(), most)? > 0)
}

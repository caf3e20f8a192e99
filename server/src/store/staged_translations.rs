//! Translations that a staged run brings to keys that are there, to be written once the run is live.

use l10n_api_types::{ProjectId, TrackingToken};

use super::translations::{NewTranslation, in_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    INSERT = values "INSERT INTO staged_translations (tracking_token, key_id, language, project_id, content, state, \
        source_hash, origin, engine, issues, updated_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (tracking_token, key_id, language) DO UPDATE SET content = excluded.content, \
        state = excluded.state, source_hash = excluded.source_hash, origin = excluded.origin, engine = excluded.engine, \
        issues = excluded.issues, updated_at = excluded.updated_at";
    NEXT = "SELECT DISTINCT key_id FROM staged_translations WHERE tracking_token = $1 ORDER BY key_id LIMIT $2";
    WRITE = values "INSERT INTO translations (key_id, language, project_id, content, state, source_hash, stale, origin, \
        engine, issues, updated_at) SELECT s.key_id, s.language, s.project_id, s.content, s.state, s.source_hash, FALSE, \
        s.origin, s.engine, s.issues, s.updated_at FROM staged_translations s JOIN keys k ON k.id = s.key_id \
        WHERE s.tracking_token = $1 AND s.key_id IN (" each "?"
        then ") ON CONFLICT (key_id, language) DO UPDATE SET content = excluded.content, state = excluded.state, \
        source_hash = excluded.source_hash, stale = excluded.stale, origin = excluded.origin, engine = excluded.engine, \
        issues = excluded.issues, updated_at = excluded.updated_at \
        WHERE translations.state <> 'reviewed' AND translations.origin NOT IN ('human', 'import')";
    DELETE = values "DELETE FROM staged_translations WHERE tracking_token = $1 AND key_id IN (" each "?" then ")";
    DELETE_SOME = "DELETE FROM staged_translations WHERE (tracking_token, key_id, language) IN \
        (SELECT tracking_token, key_id, language FROM staged_translations WHERE tracking_token = $1 \
        ORDER BY key_id, language LIMIT $2)";
}

/// Notes translations that a run brings.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(
    tx: &mut Tx,
    run: &TrackingToken,
    project_id: &ProjectId,
    translations: &[NewTranslation<'_>],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let rows = in_json(translations)?;
    execute_values!(tx, INSERT, [], rows, |(new, content, issues)| [
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
    ])
}

/// Writes a run's translations of these keys, whose texts are as the run has them. What a person wrote or reviewed stays.
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

/// Deletes so many translations of a run at most; returns `false` when there are no more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn delete_some(tx: &mut Tx, run: &TrackingToken, most: i64) -> Result<bool, StoreError> {
    Ok(execute!(tx, DELETE_SOME, run.as_str(), most)? > 0)
}

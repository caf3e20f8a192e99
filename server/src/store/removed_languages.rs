//! Languages that people removed from a project, whose translations are kept for a time.
//!
//! [`languages::insert`](super::languages::insert) deletes the row of a language that is added again.

use l10n_api_types::ProjectId;

use super::row::listed;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A language that was removed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RemovedLanguage {
        /// Its project
        pub project_id: ProjectId,
        /// BCP 47, canonical
        pub code: String,
        /// The name of the person who removed it
        pub removed_by: String,
        /// The time at which it was removed
        pub removed_at: Timestamp,
    }
}

statements! {
    INSERT = "INSERT INTO removed_languages (project_id, code, removed_by, removed_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (project_id, code) DO UPDATE SET removed_by = excluded.removed_by, removed_at = excluded.removed_at";
    LIST = "SELECT project_id, code, removed_by, removed_at FROM removed_languages WHERE project_id = $1 ORDER BY code";
    FIND = "SELECT project_id, code, removed_by, removed_at FROM removed_languages WHERE project_id = $1 AND code = $2";
    OLDEST = sqlite "SELECT project_id, code, removed_by, removed_at FROM removed_languages WHERE removed_at < $1 \
            AND project_id NOT IN (SELECT value FROM json_each($2)) ORDER BY removed_at LIMIT 1",
        postgres "SELECT project_id, code, removed_by, removed_at FROM removed_languages WHERE removed_at < $1 \
            AND project_id <> ALL (CAST(translate($2, '[]', '{}') AS TEXT[])) ORDER BY removed_at LIMIT 1";
    DELETE = "DELETE FROM removed_languages WHERE project_id = $1 AND code = $2";
    TRANSLATIONS = "DELETE FROM translations WHERE (key_id, language) IN (SELECT key_id, language FROM translations \
        WHERE project_id = $1 AND language = $2 ORDER BY state LIMIT $3)";
    NEXT_SOURCE = "SELECT source_language FROM segment_translations WHERE project_id = $1 AND source_language > $2 \
        ORDER BY source_language LIMIT 1";
    SEGMENT_TRANSLATIONS = "DELETE FROM segment_translations WHERE (project_id, source_language, language, hash) IN \
        (SELECT project_id, source_language, language, hash FROM segment_translations WHERE project_id = $1 \
        AND source_language = $2 AND language = $3 ORDER BY hash LIMIT $4)";
}

/// Remembers a language that was removed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, removed: &RemovedLanguage) -> Result<(), StoreError> {
    let (project_id, removed_at) = (removed.project_id.as_str(), removed.removed_at.as_millis());
    execute!(tx, INSERT, project_id, &removed.code, &removed.removed_by, removed_at).map(drop)
}

/// The removed languages of a project, by code.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<RemovedLanguage>, StoreError> {
    fetch_all!(tx, RemovedLanguage, LIST, project_id.as_str())
}

/// A removed language of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, code: &str) -> Result<Option<RemovedLanguage>, StoreError> {
    fetch_optional!(tx, RemovedLanguage, FIND, project_id.as_str(), code)
}

/// The language that was removed first of all before a time, save those of some projects.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn oldest(
    tx: &mut Tx,
    before: Timestamp,
    except: &[ProjectId],
) -> Result<Option<RemovedLanguage>, StoreError> {
    fetch_optional!(tx, RemovedLanguage, OLDEST, before.as_millis(), listed(except.iter().map(ProjectId::as_str)))
}

/// Forgets that a language was removed: nothing of it is kept any more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, project_id: &ProjectId, code: &str) -> Result<(), StoreError> {
    execute!(tx, DELETE, project_id.as_str(), code).map(drop)
}

/// Deletes translations of keys and of segments into a language, `most` at most; returns how many. Lock the project before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_translations(
    tx: &mut Tx,
    project_id: &ProjectId,
    code: &str,
    most: i64,
) -> Result<u64, StoreError> {
    let deleted = execute!(tx, TRANSLATIONS, project_id.as_str(), code, most)?;
    if deleted > 0 {
        return Ok(deleted);
    }
    // The index begins with the source language, of which there are few.
    let mut source = String::new();
    while let Some((next,)) = fetch_optional!(tx, (String,), NEXT_SOURCE, project_id.as_str(), &source)? {
        let deleted = execute!(tx, SEGMENT_TRANSLATIONS, project_id.as_str(), &next, code, most)?;
        if deleted > 0 {
            return Ok(deleted);
        }
        source = next;
    }
    Ok(0)
}

//! The languages of a project, the base among them.

use l10n_api_types::ProjectId;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A language of a project.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Language {
        /// BCP 47, canonical
        pub code: String,
        /// True for the language of the keys' sources
        pub is_base: bool,
        /// Place in lists, counted from 0; the base is first
        pub position: i64,
        /// The time at which it was added
        pub created_at: Timestamp,
    }
}

statements! {
    INSERT = values "INSERT INTO languages (project_id, code, is_base, position, created_at) VALUES"
        each "(?, ?, ?, ?, ?)"
        then "ON CONFLICT (project_id, code) DO NOTHING";
    LIST = "SELECT code, is_base, position, created_at FROM languages WHERE project_id = $1 ORDER BY position, code";
    COUNT = "SELECT COUNT(*) FROM languages WHERE project_id = $1";
    HAS = "SELECT COUNT(*) FROM languages WHERE project_id = $1 AND code = $2";
    CHANGE_SEQ_WITH = "SELECT p.change_seq FROM projects p JOIN languages l ON l.project_id = p.id \
        WHERE p.id = $1 AND l.code = $2";
    REMOVE = "DELETE FROM languages WHERE project_id = $1 AND code = $2 AND NOT is_base";
    RETURNED = values "DELETE FROM removed_languages WHERE project_id = $1 AND code IN (" each "?" then ")";
}

/// Adds those that the project lacks and returns how many these were. Give positions that follow those in use. One that was
/// removed has its translations again, as long as they are kept.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn insert(tx: &mut Tx, project_id: &ProjectId, languages: &[Language]) -> Result<u64, StoreError> {
    execute_values!(tx, RETURNED, [project_id.as_str()], languages, |language| [&language.code])?;
    execute_values!(tx, INSERT, [], languages, |language| [
        project_id.as_str(),
        &language.code,
        language.is_base,
        language.position,
        language.created_at.as_millis(),
    ])
}

/// Takes a language from a project; its translations stay. The base language cannot be taken.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if the project has no such target language.
pub async fn remove(tx: &mut Tx, project_id: &ProjectId, code: &str) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, REMOVE, project_id.as_str(), code)?)
}

/// Returns true if the project has the language.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn has(tx: &mut Tx, project_id: &ProjectId, code: &str) -> Result<bool, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), HAS, project_id.as_str(), code)?;
    Ok(count > 0)
}

/// The `change_seq` of a project that has this language.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn change_seq_with(tx: &mut Tx, project_id: &ProjectId, code: &str) -> Result<Option<i64>, StoreError> {
    let found = fetch_optional!(tx, (i64,), CHANGE_SEQ_WITH, project_id.as_str(), code)?;
    Ok(found.map(|(change_seq,)| change_seq))
}

/// Every language of a project, by position.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<Language>, StoreError> {
    fetch_all!(tx, Language, LIST, project_id.as_str())
}

/// The number of a project's languages, the base included.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, project_id: &ProjectId) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT, project_id.as_str())?;
    Ok(count)
}

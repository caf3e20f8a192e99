//! Versions: what a publish froze. Rows are written once and never changed, but for the mark of one that is being deleted
//! ([`pruning`](super::pruning)): it counts as gone.

use l10n_api_types::{ProjectId, VersionId};
use l10n_api_types::publish::{IssueCounts, VersionLanguage};

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A version of a project.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Version {
        /// `ver_…`
        pub id: VersionId,
        /// Its project
        pub project_id: ProjectId,
        /// Its number in the project, from 1
        pub seq: i64,
        /// The publish that made it
        pub publish_id: String,
        /// A name for people
        pub label: String,
        /// Keys in it
        pub key_count: i64,
        /// Its languages, the base language first
        pub languages: Json<Vec<VersionLanguage>>,
        /// The base language
        pub base_language: String,
        /// Issues that the checks had found
        pub issues: Json<IssueCounts>,
        /// The time of its publish
        pub published_at: Timestamp,
        /// The address of the person who published it; `None` for an API key
        pub published_by: Option<String>,
    }
}

row! {
    /// A version in a list.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct VersionSummary {
        /// `ver_…`
        pub id: VersionId,
        /// Its number in the project
        pub seq: i64,
        /// A name for people
        pub label: String,
        /// Keys in it
        pub key_count: i64,
        /// The time of its publish
        pub published_at: Timestamp,
        /// The address of the person who published it; `None` for an API key
        pub published_by: Option<String>,
    }
}

statements! {
    INSERT = "INSERT INTO versions (id, project_id, seq, publish_id, label, key_count, languages, base_language, issues, \
        published_at, published_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    FIND = "SELECT id, project_id, seq, publish_id, label, key_count, languages, base_language, issues, published_at, \
        published_by FROM versions WHERE id = $2 AND project_id = $1 AND pruned_at IS NULL";
    LIST = "SELECT id, seq, label, key_count, published_at, published_by FROM versions WHERE project_id = $1 AND seq < $2 \
        AND pruned_at IS NULL ORDER BY seq DESC LIMIT $3";
}

/// Adds a version.
///
/// # Errors
///
/// [`StoreError::Unique`] when the project has a version of this number.
pub async fn insert(tx: &mut Tx, version: &Version) -> Result<(), StoreError> {
    let languages = to_json("versions.languages", &version.languages.0)?;
    let issues = to_json("versions.issues", &version.issues.0)?;
    execute!(
        tx,
        INSERT,
        version.id.as_str(),
        version.project_id.as_str(),
        version.seq,
        &version.publish_id,
        &version.label,
        version.key_count,
        &languages,
        &version.base_language,
        &issues,
        version.published_at.as_millis(),
        &version.published_by,
    )
    .map(drop)
}

/// The version `id` of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, id: &VersionId) -> Result<Option<Version>, StoreError> {
    fetch_optional!(tx, Version, FIND, project_id.as_str(), id.as_str())
}

/// At most `limit` versions with a number below `before`, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId, before: i64, limit: i64) -> Result<Vec<VersionSummary>, StoreError> {
    fetch_all!(tx, VersionSummary, LIST, project_id.as_str(), before, limit)
}

//! Archiving projects, workspaces and documents, and taking that back.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// The state of something that may be archived and deleted.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct LifecycleState {
        /// Since when it is archived
        pub archived_at: Option<Timestamp>,
        /// The time at which its rows are deleted; 0 once that has begun
        pub delete_at: Option<Timestamp>,
    }
}

row! {
    /// A project or workspace, for people.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LifecycleEntry {
        /// Its id
        pub id: String,
        /// `handle/slug` of a project, handle of a workspace
        pub name: String,
        /// Active keys of a project, projects of a workspace
        pub number: i64,
        /// Since when it is archived
        pub archived_at: Option<Timestamp>,
        /// The time at which its rows are deleted; 0 once that has begun
        pub delete_at: Option<Timestamp>,
    }
}

row! {
    /// A document, for people.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DocumentEntry {
        /// Its id
        pub id: String,
        /// Its external id, also when it is archived
        pub external_id: Option<String>,
        /// The time of its last change
        pub updated_at: Timestamp,
        /// Since when it is archived
        pub archived_at: Option<Timestamp>,
        /// The time at which its rows are deleted; 0 once that has begun
        pub delete_at: Option<Timestamp>,
    }
}

statements! {
    PROJECT = "SELECT archived_at, delete_at FROM projects WHERE id = $1";
    SET_PROJECT = "UPDATE projects SET archived_at = $2, delete_at = $3 WHERE id = $1";
    WORKSPACE = "SELECT archived_at, delete_at FROM workspaces WHERE id = $1";
    SET_WORKSPACE = "UPDATE workspaces SET archived_at = $2, delete_at = $3 WHERE id = $1";
    DOCUMENT = "SELECT archived_at, delete_at FROM documents WHERE project_id = $1 AND id = $2";
    ARCHIVE_DOCUMENT = "UPDATE documents SET archived_external_id = external_id, external_id = NULL, archived_at = $2, \
        delete_at = $3 WHERE id = $1 AND archived_at IS NULL";
    DELETE_DOCUMENT = "UPDATE documents SET delete_at = $2 WHERE id = $1";
    RESTORE_DOCUMENT = "UPDATE documents SET external_id = archived_external_id, archived_external_id = NULL, \
        archived_at = NULL, delete_at = NULL WHERE id = $1 AND (delete_at IS NULL OR delete_at <> 0)";
    TAKEN = "SELECT d.id FROM documents a JOIN documents d ON d.project_id = a.project_id \
        AND d.external_id = a.archived_external_id WHERE a.id = $1";
    UNFINISHED_OF_PROJECT = sqlite "SELECT tracking_token FROM jobs WHERE project_id = $1 \
            AND status IN ('queued', 'running') ORDER BY tracking_token",
        postgres "SELECT tracking_token FROM jobs WHERE project_id = $1 \
            AND status IN ('queued', 'running') ORDER BY tracking_token FOR NO KEY UPDATE";
    UNFINISHED_OF_DOCUMENT = sqlite "SELECT tracking_token FROM jobs WHERE document_id = $1 \
            AND status IN ('queued', 'running') ORDER BY tracking_token",
        postgres "SELECT tracking_token FROM jobs WHERE document_id = $1 \
            AND status IN ('queued', 'running') ORDER BY tracking_token FOR NO KEY UPDATE";
    RELEASE = values "UPDATE holds SET released_at = $1 WHERE released_at IS NULL AND job_id IN (" each "?" then ")";
    CANCEL = values "UPDATE jobs SET status = 'canceled', lease_owner = NULL, lease_expires_at = NULL, finished_at = $1 \
        WHERE tracking_token IN (" each "?" then ")";
    PROJECTS = "SELECT p.id, w.handle || '/' || p.slug AS name, p.key_count AS number, p.archived_at, p.delete_at \
        FROM projects p JOIN workspaces w ON w.id = p.workspace_id \
        WHERE p.id > $1 AND (CAST($2 AS TEXT) IS NULL OR w.handle = $2) ORDER BY p.id LIMIT $3";
    WORKSPACES = "SELECT w.id, w.handle AS name, (SELECT COUNT(*) FROM projects p WHERE p.workspace_id = w.id) AS number, \
        w.archived_at, w.delete_at FROM workspaces w WHERE w.id > $1 ORDER BY w.id LIMIT $2";
    DOCUMENTS = "SELECT id, COALESCE(external_id, archived_external_id) AS external_id, updated_at, archived_at, delete_at \
        FROM documents WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3";
}

/// The state of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn project(tx: &mut Tx, id: &ProjectId) -> Result<Option<LifecycleState>, StoreError> {
    fetch_optional!(tx, LifecycleState, PROJECT, id.as_str())
}

/// The state of a workspace.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn workspace(tx: &mut Tx, id: &WorkspaceId) -> Result<Option<LifecycleState>, StoreError> {
    fetch_optional!(tx, LifecycleState, WORKSPACE, id.as_str())
}

/// The state of a document of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn document(tx: &mut Tx, project_id: &ProjectId, id: &str) -> Result<Option<LifecycleState>, StoreError> {
    fetch_optional!(tx, LifecycleState, DOCUMENT, project_id.as_str(), id)
}

/// Sets how a project stands.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn set_project(tx: &mut Tx, id: &ProjectId, to: LifecycleState) -> Result<(), StoreError> {
    tx.moves_live();
    let (archived_at, delete_at) = (to.archived_at.map(Timestamp::as_millis), to.delete_at.map(Timestamp::as_millis));
    StoreError::exactly_one(execute!(tx, SET_PROJECT, id.as_str(), archived_at, delete_at)?)
}

/// Sets how a workspace stands.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such workspace.
pub async fn set_workspace(tx: &mut Tx, id: &WorkspaceId, to: LifecycleState) -> Result<(), StoreError> {
    let (archived_at, delete_at) = (to.archived_at.map(Timestamp::as_millis), to.delete_at.map(Timestamp::as_millis));
    StoreError::exactly_one(execute!(tx, SET_WORKSPACE, id.as_str(), archived_at, delete_at)?)
}

/// Hides a document and frees its external id, unless it is archived already; and sets when it is deleted.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such document.
pub async fn archive_document(tx: &mut Tx, id: &str, to: LifecycleState) -> Result<(), StoreError> {
    let (archived_at, delete_at) = (to.archived_at.map(Timestamp::as_millis), to.delete_at.map(Timestamp::as_millis));
    execute!(tx, ARCHIVE_DOCUMENT, id, archived_at, delete_at)?;
    StoreError::exactly_one(execute!(tx, DELETE_DOCUMENT, id, delete_at)?)
}

/// Shows a document again, under its external id. Returns false if its deletion has begun.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn restore_document(tx: &mut Tx, id: &str) -> Result<bool, StoreError> {
    Ok(execute!(tx, RESTORE_DOCUMENT, id)? == 1)
}

/// The document that took an archived one's external id meanwhile.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn taken(tx: &mut Tx, id: &str) -> Result<Option<String>, StoreError> {
    Ok(fetch_optional!(tx, (String,), TAKEN, id)?.map(|(id,)| id))
}

/// Cancels a project's unfinished jobs and releases what they hold. A worker that is at one writes nothing more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn cancel_jobs_of_project(tx: &mut Tx, id: &ProjectId, at: Timestamp) -> Result<u64, StoreError> {
    let jobs = fetch_all!(tx, (String,), UNFINISHED_OF_PROJECT, id.as_str())?;
    cancel(tx, &jobs, at).await
}

/// Like [`cancel_jobs_of_project`], for a document.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn cancel_jobs_of_document(tx: &mut Tx, id: &str, at: Timestamp) -> Result<u64, StoreError> {
    let jobs = fetch_all!(tx, (String,), UNFINISHED_OF_DOCUMENT, id)?;
    cancel(tx, &jobs, at).await
}

/// Cancels jobs that this transaction has locked. A worker that begins with a chunk has the job before its hold, too: otherwise
/// each of them could wait for the other.
async fn cancel(tx: &mut Tx, jobs: &[(String,)], at: Timestamp) -> Result<u64, StoreError> {
    execute_values!(tx, RELEASE, [at.as_millis()], jobs, |(token,)| [token.as_str()])?;
    execute_values!(tx, CANCEL, [at.as_millis()], jobs, |(token,)| [token.as_str()])
}

/// Projects after one, of one workspace or all, by id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn projects(tx: &mut Tx, after: &str, handle: Option<&str>, most: i64) -> Result<Vec<LifecycleEntry>, StoreError> {
    fetch_all!(tx, LifecycleEntry, PROJECTS, after, handle, most)
}

/// Workspaces after one, by id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn workspaces(tx: &mut Tx, after: &str, most: i64) -> Result<Vec<LifecycleEntry>, StoreError> {
    fetch_all!(tx, LifecycleEntry, WORKSPACES, after, most)
}

/// Documents of a project after one, archived ones too, by id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn documents(
    tx: &mut Tx,
    project_id: &ProjectId,
    after: &str,
    most: i64,
) -> Result<Vec<DocumentEntry>, StoreError> {
    fetch_all!(tx, DocumentEntry, DOCUMENTS, project_id.as_str(), after, most)
}

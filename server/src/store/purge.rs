//! Deleting a project, workspace or document with all of its rows: a batch at a time, children before what they refer to.
//!
//! A test goes through the tables of the schema and finds the one that was forgotten here.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::blobs::Hash;
use super::memory::MemoryOwner;
use super::statements::Sql;
use super::{StoreError, Tx, lock, memory_sources, retention, staged_blobs};
use crate::clock::Timestamp;

statements! {
    DUE_PROJECTS = "SELECT id FROM projects WHERE delete_at IS NOT NULL AND delete_at <= $1 ORDER BY delete_at LIMIT $2";
    DUE_WORKSPACES = "SELECT id FROM workspaces WHERE delete_at IS NOT NULL AND delete_at <= $1 ORDER BY delete_at LIMIT $2";
    DUE_DOCUMENTS = "SELECT id FROM documents WHERE delete_at IS NOT NULL AND delete_at <= $1 ORDER BY delete_at LIMIT $2";
    BEGIN_PROJECT = "UPDATE projects SET delete_at = 0, live_version_id = NULL WHERE id = $1 AND delete_at <= $2";
    BEGIN_WORKSPACE = "UPDATE workspaces SET delete_at = 0 WHERE id = $1 AND delete_at <= $2";
    BEGIN_DOCUMENT = "UPDATE documents SET delete_at = 0 WHERE id = $1 AND delete_at <= $2";
    FIRST_PROJECT = "SELECT id FROM projects WHERE workspace_id = $1 ORDER BY id LIMIT 1";
    BEGIN_FIRST = "UPDATE projects SET delete_at = 0, archived_at = COALESCE(archived_at, $2), live_version_id = NULL WHERE id = $1";
    PROJECT_OF_DOCUMENT = "SELECT project_id FROM documents WHERE id = $1";
    JOBS_OF_DOCUMENT = "SELECT tracking_token FROM jobs WHERE document_id = $1 ORDER BY tracking_token LIMIT $2";

    DELIVERIES = "DELETE FROM deliveries WHERE (webhook_id, id) IN (SELECT d.webhook_id, d.id FROM webhooks h \
        JOIN deliveries d ON d.webhook_id = h.id WHERE h.project_id = $1 ORDER BY d.webhook_id, d.id LIMIT $2)";
    WEBHOOKS = "DELETE FROM webhooks WHERE id IN (SELECT id FROM webhooks WHERE project_id = $1 ORDER BY id LIMIT $2)";
    EVENTS = "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE project_id = $1 ORDER BY id LIMIT $2)";
    PENDING = "DELETE FROM pending_items WHERE (project_id, item, job_id, slot) IN (SELECT project_id, item, job_id, slot \
        FROM pending_items WHERE project_id = $1 ORDER BY item, job_id, slot LIMIT $2)";
    CODE_CHANGES = "DELETE FROM code_changes WHERE id IN \
        (SELECT id FROM code_changes WHERE project_id = $1 ORDER BY id LIMIT $2)";
    TRANSLATIONS = "DELETE FROM translations WHERE (key_id, language) IN \
        (SELECT key_id, language FROM translations WHERE project_id = $1 ORDER BY language, state LIMIT $2)";
    KEYS = "DELETE FROM keys WHERE id IN (SELECT id FROM keys WHERE project_id = $1 ORDER BY ref LIMIT $2)";
    STAGED_CHANGES = "DELETE FROM staged_changes WHERE (tracking_token, key_id) IN (SELECT s.tracking_token, s.key_id \
        FROM staged_runs r JOIN staged_changes s ON s.tracking_token = r.tracking_token WHERE r.project_id = $1 \
        ORDER BY s.tracking_token, s.key_id LIMIT $2)";
    STAGED_TRANSLATIONS = "DELETE FROM staged_translations WHERE (tracking_token, key_id, language) IN \
        (SELECT s.tracking_token, s.key_id, s.language FROM staged_runs r \
        JOIN staged_translations s ON s.tracking_token = r.tracking_token WHERE r.project_id = $1 \
        ORDER BY s.tracking_token, s.key_id, s.language LIMIT $2)";
    STAGED_RUNS = "DELETE FROM staged_runs WHERE tracking_token IN \
        (SELECT tracking_token FROM staged_runs WHERE project_id = $1 ORDER BY tracking_token LIMIT $2)";
    VERSION_FILES = "DELETE FROM version_files WHERE (version_id, path) IN (SELECT f.version_id, f.path FROM versions v \
        JOIN version_files f ON f.version_id = v.id WHERE v.project_id = $1 ORDER BY v.seq, f.path LIMIT $2) RETURNING sha256";
    VERSIONS = "DELETE FROM versions WHERE id IN (SELECT id FROM versions WHERE project_id = $1 ORDER BY seq LIMIT $2)";
    DOCUMENT_FILES_OF_PROJECT = "DELETE FROM document_version_files WHERE (version_id, language) IN \
        (SELECT f.version_id, f.language FROM documents d JOIN document_versions v ON v.document_id = d.id \
        JOIN document_version_files f ON f.version_id = v.id WHERE d.project_id = $1 \
        ORDER BY f.version_id, f.language LIMIT $2) RETURNING sha256";
    DOCUMENT_VERSIONS_OF_PROJECT = "DELETE FROM document_versions WHERE id IN (SELECT v.id FROM documents d \
        JOIN document_versions v ON v.document_id = d.id WHERE d.project_id = $1 ORDER BY v.id LIMIT $2)";
    SOURCES_OF_PROJECT = "DELETE FROM document_sources WHERE id IN (SELECT s.id FROM documents d \
        JOIN document_sources s ON s.document_id = d.id WHERE d.project_id = $1 ORDER BY s.id LIMIT $2)";
    DOCUMENTS = "DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE project_id = $1 ORDER BY id LIMIT $2)";
    SEGMENT_TRANSLATIONS = "DELETE FROM segment_translations WHERE (project_id, source_language, language, hash) IN \
        (SELECT project_id, source_language, language, hash FROM segment_translations WHERE project_id = $1 \
        ORDER BY source_language, language, hash LIMIT $2)";
    SEGMENTS = "DELETE FROM segments WHERE (project_id, language, hash) IN \
        (SELECT project_id, language, hash FROM segments WHERE project_id = $1 ORDER BY language, hash LIMIT $2)";
    PROJECT_MEMORY = "DELETE FROM project_memory WHERE (project_id, source_language, target_language, source_hash, engine) IN \
        (SELECT project_id, source_language, target_language, source_hash, engine FROM project_memory WHERE project_id = $1 \
        ORDER BY source_language, target_language, source_hash LIMIT $2)";
    SOURCE_FILES = "DELETE FROM source_files WHERE (project_id, path) IN \
        (SELECT project_id, path FROM source_files WHERE project_id = $1 ORDER BY path LIMIT $2)";
    REQUESTS = "DELETE FROM requests WHERE (project_id, id) IN \
        (SELECT project_id, id FROM requests WHERE project_id = $1 ORDER BY id LIMIT $2)";
    IDEMPOTENCY_KEYS = "DELETE FROM idempotency_keys WHERE (api_key_id, text) IN (SELECT i.api_key_id, i.text FROM api_keys k \
        JOIN idempotency_keys i ON i.api_key_id = k.id WHERE k.project_id = $1 ORDER BY i.api_key_id, i.text LIMIT $2)";
    OPERATIONS = "DELETE FROM operations WHERE id IN (SELECT id FROM operations WHERE project_id = $1 ORDER BY id LIMIT $2)";
    DAILY_COUNTS = "DELETE FROM daily_counts WHERE (project_id, day, budget) IN \
        (SELECT project_id, day, budget FROM daily_counts WHERE project_id = $1 ORDER BY day, budget LIMIT $2)";
    OUTPUT_FORMATS = "DELETE FROM output_formats WHERE id IN \
        (SELECT id FROM output_formats WHERE project_id = $1 ORDER BY position LIMIT $2)";
    GLOSSARY = "DELETE FROM glossary_terms WHERE id IN \
        (SELECT id FROM glossary_terms WHERE project_id = $1 ORDER BY language, term LIMIT $2)";
    GLOSSARY_CHECKS = "DELETE FROM glossary_checks WHERE project_id IN \
        (SELECT project_id FROM glossary_checks WHERE project_id = $1 ORDER BY project_id LIMIT $2)";
    COMMON_TOKENS = "DELETE FROM common_tokens WHERE project_id IN \
        (SELECT project_id FROM common_tokens WHERE project_id = $1 ORDER BY project_id LIMIT $2)";
    LANGUAGES = "DELETE FROM languages WHERE (project_id, code) IN \
        (SELECT project_id, code FROM languages WHERE project_id = $1 ORDER BY code LIMIT $2)";
    REMOVED_LANGUAGES = "DELETE FROM removed_languages WHERE (project_id, code) IN \
        (SELECT project_id, code FROM removed_languages WHERE project_id = $1 ORDER BY code LIMIT $2)";
    API_KEYS = "DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE project_id = $1 ORDER BY id LIMIT $2)";
    PROJECT = "DELETE FROM projects WHERE id = $1";

    FILES_OF_DOCUMENT = "DELETE FROM document_version_files WHERE (version_id, language) IN \
        (SELECT f.version_id, f.language FROM document_versions v JOIN document_version_files f ON f.version_id = v.id \
        WHERE v.document_id = $1 ORDER BY f.version_id, f.language LIMIT $2) RETURNING sha256";
    VERSIONS_OF_DOCUMENT = "DELETE FROM document_versions WHERE id IN \
        (SELECT id FROM document_versions WHERE document_id = $1 ORDER BY id LIMIT $2)";
    SOURCES_OF_DOCUMENT = "DELETE FROM document_sources WHERE id IN \
        (SELECT id FROM document_sources WHERE document_id = $1 ORDER BY id LIMIT $2)";
    DOCUMENT = "DELETE FROM documents WHERE id = $1";

    MEMORY = "DELETE FROM memory WHERE (workspace_id, source_language, target_language, source_hash, engine) IN \
        (SELECT workspace_id, source_language, target_language, source_hash, engine FROM memory WHERE workspace_id = $1 \
        ORDER BY source_language, target_language, source_hash LIMIT $2)";
    GLOSSARY_OF_WORKSPACE = "DELETE FROM glossary_terms WHERE id IN (SELECT id FROM glossary_terms \
        WHERE workspace_id = $1 ORDER BY language, term LIMIT $2)";
    LEDGER = "DELETE FROM ledger WHERE id IN (SELECT id FROM ledger WHERE workspace_id = $1 ORDER BY created_at LIMIT $2)";
    HOLDS = "DELETE FROM holds WHERE id IN (SELECT id FROM holds WHERE workspace_id = $1 ORDER BY id LIMIT $2)";
    INVITATIONS = "DELETE FROM invitations WHERE id IN \
        (SELECT id FROM invitations WHERE workspace_id = $1 ORDER BY email LIMIT $2)";
    MEMBERSHIPS = "DELETE FROM memberships WHERE (workspace_id, user_id) IN \
        (SELECT workspace_id, user_id FROM memberships WHERE workspace_id = $1 ORDER BY user_id LIMIT $2)";
    AUDIT_LOG = "DELETE FROM audit_log WHERE id IN \
        (SELECT id FROM audit_log WHERE workspace_id = $1 ORDER BY created_at, id LIMIT $2)";
    TURNS = "DELETE FROM job_turns WHERE workspace_id = $1";
    WORKSPACE = "DELETE FROM workspaces WHERE id = $1";
}

/// The statements that delete the rest of a project, in this order, after its jobs and the files of its versions.
const OF_PROJECT: &[Sql] = &[
    DELIVERIES,
    WEBHOOKS,
    EVENTS,
    PENDING,
    CODE_CHANGES,
    TRANSLATIONS,
    KEYS,
    STAGED_CHANGES,
    STAGED_TRANSLATIONS,
    STAGED_RUNS,
    VERSIONS,
    DOCUMENT_VERSIONS_OF_PROJECT,
    SOURCES_OF_PROJECT,
    DOCUMENTS,
    SEGMENT_TRANSLATIONS,
    SEGMENTS,
    PROJECT_MEMORY,
    SOURCE_FILES,
    REQUESTS,
    IDEMPOTENCY_KEYS,
    OPERATIONS,
    DAILY_COUNTS,
    OUTPUT_FORMATS,
    GLOSSARY,
    GLOSSARY_CHECKS,
    COMMON_TOKENS,
    LANGUAGES,
    REMOVED_LANGUAGES,
    API_KEYS,
];

/// Something to delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurgeTarget {
    /// A project, by its id
    Project(ProjectId),
    /// A workspace
    Workspace(WorkspaceId),
    /// A document
    Document(String),
}

/// Things whose time to be deleted has come, at most `most` of each kind: documents, then projects, then workspaces.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn due(tx: &mut Tx, now: Timestamp, most: i64) -> Result<Vec<PurgeTarget>, StoreError> {
    let now = now.as_millis();
    let documents = fetch_all!(tx, (String,), DUE_DOCUMENTS, now, most)?;
    let projects = fetch_all!(tx, (String,), DUE_PROJECTS, now, most)?;
    let workspaces = fetch_all!(tx, (String,), DUE_WORKSPACES, now, most)?;
    let documents = documents.into_iter().map(|(id,)| PurgeTarget::Document(id));
    let projects = projects.into_iter().map(|(id,)| PurgeTarget::Project(id.into()));
    let workspaces = workspaces.into_iter().map(|(id,)| PurgeTarget::Workspace(id.into()));
    Ok(documents.chain(projects).chain(workspaces).collect())
}

/// Begins to delete what is due: from now on it cannot be restored. Returns false if it is not due any more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn begin(tx: &mut Tx, due: &PurgeTarget, now: Timestamp) -> Result<bool, StoreError> {
    let now = now.as_millis();
    let begun = match due {
        PurgeTarget::Project(id) => {
            tx.moves_live();
            execute!(tx, BEGIN_PROJECT, id.as_str(), now)?
        }
        PurgeTarget::Workspace(id) => execute!(tx, BEGIN_WORKSPACE, id.as_str(), now)?,
        PurgeTarget::Document(id) => execute!(tx, BEGIN_DOCUMENT, id, now)?,
    };
    Ok(begun == 1)
}

/// Deletes some of what is due, at most `most` rows; returns whether anything is left of it.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn some(tx: &mut Tx, due: &PurgeTarget, most: i64, now: Timestamp) -> Result<bool, StoreError> {
    match due {
        PurgeTarget::Project(id) => of_project(tx, id, most, now).await,
        PurgeTarget::Document(id) => of_document(tx, id, most, now).await,
        PurgeTarget::Workspace(id) => of_workspace(tx, id, most, now).await,
    }
}

async fn of_project(tx: &mut Tx, id: &ProjectId, most: i64, now: Timestamp) -> Result<bool, StoreError> {
    tx.moves_live();
    lock::project(tx, id).await?;
    let jobs = retention::jobs_of(tx, id, most).await?;
    if retention::delete_jobs(tx, &jobs, most).await? > 0
        || files(tx, VERSION_FILES, id.as_str(), most, now).await?
        || files(tx, DOCUMENT_FILES_OF_PROJECT, id.as_str(), most, now).await?
        || memory_sources::delete_of(tx, MemoryOwner::Project(id), most).await? > 0
    {
        return Ok(true);
    }
    for statement in OF_PROJECT {
        if execute!(tx, *statement, id.as_str(), most)? > 0 {
            return Ok(true);
        }
    }
    execute!(tx, PROJECT, id.as_str())?;
    Ok(false)
}

async fn of_document(tx: &mut Tx, id: &str, most: i64, now: Timestamp) -> Result<bool, StoreError> {
    let Some((project,)) = fetch_optional!(tx, (String,), PROJECT_OF_DOCUMENT, id)? else { return Ok(false) };
    lock::project(tx, &ProjectId::from(project)).await?;
    let jobs = fetch_all!(tx, (String,), JOBS_OF_DOCUMENT, id, most)?;
    let jobs: Vec<String> = jobs.into_iter().map(|(token,)| token).collect();
    if retention::delete_jobs(tx, &jobs, most).await? > 0 || files(tx, FILES_OF_DOCUMENT, id, most, now).await? {
        return Ok(true);
    }
    for statement in [VERSIONS_OF_DOCUMENT, SOURCES_OF_DOCUMENT] {
        if execute!(tx, statement, id, most)? > 0 {
            return Ok(true);
        }
    }
    execute!(tx, DOCUMENT, id)?;
    Ok(false)
}

async fn of_workspace(tx: &mut Tx, id: &WorkspaceId, most: i64, now: Timestamp) -> Result<bool, StoreError> {
    if let Some((project,)) = fetch_optional!(tx, (String,), FIRST_PROJECT, id.as_str())? {
        execute!(tx, BEGIN_FIRST, &project, now.as_millis())?;
        of_project(tx, &ProjectId::from(project), most, now).await?;
        return Ok(true);
    }
    if memory_sources::delete_of(tx, MemoryOwner::Workspace(id), most).await? > 0 {
        return Ok(true);
    }
    for statement in [MEMORY, GLOSSARY_OF_WORKSPACE, HOLDS, LEDGER, INVITATIONS, MEMBERSHIPS, AUDIT_LOG] {
        if execute!(tx, statement, id.as_str(), most)? > 0 {
            return Ok(true);
        }
    }
    execute!(tx, TURNS, id.as_str())?;
    execute!(tx, WORKSPACE, id.as_str())?;
    Ok(false)
}

/// Deletes names of files, by a statement that returns their contents; returns whether there were any. Contents that nothing
/// else names go with those of publishes that came to nothing.
pub(super) async fn files(
    tx: &mut Tx,
    statement: Sql,
    id: &str,
    most: i64,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let contents = fetch_all!(tx, (Vec<u8>,), statement, id, most)?;
    let contents: Vec<Hash> = contents.into_iter().filter_map(|(sha256,)| sha256.try_into().ok()).collect();
    staged_blobs::stage(tx, &contents, now).await?;
    Ok(!contents.is_empty())
}

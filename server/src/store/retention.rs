//! Rows that are kept for a time that the operator sets ([`Retention`](crate::config::Retention)). Each function deletes a
//! batch, so that nobody waits for long; processes that sweep at once leave each other's batch alone.

use l10n_api_types::ProjectId;
use l10n_formats::SourceHash;

use super::documents::SizedDocument;
use super::job_chunks::JobItem;
use super::memory::USED_MILLIS;
use super::row::{Json, listed};
use super::{StoreError, Tx, job_engines, lock, pending_items};
use crate::clock::Timestamp;

/// Slots of canceled jobs that one transaction deletes, with about a hundred items each.
const SLOTS_AT_ONCE: i64 = 8;

statements! {
    FINISHED_JOBS = sqlite "SELECT tracking_token FROM jobs WHERE finished_at IS NOT NULL AND finished_at < $1 \
            ORDER BY finished_at LIMIT $2",
        postgres "SELECT tracking_token FROM jobs WHERE finished_at IS NOT NULL AND finished_at < $1 \
            ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED";
    JOBS_OF_PROJECT = "SELECT tracking_token FROM jobs WHERE project_id = $1 ORDER BY tracking_token LIMIT $2";
    CHUNKS = values "DELETE FROM job_chunks WHERE (job_id, seq) IN (SELECT job_id, seq FROM job_chunks WHERE job_id IN ("
        each "?" then ") ORDER BY job_id, seq LIMIT $1)";
    ITEMS = values "DELETE FROM job_items WHERE (job_id, slot) IN (SELECT job_id, slot FROM job_items WHERE job_id IN ("
        each "?" then ") ORDER BY job_id, slot LIMIT $1)";
    CANCELED_SLOTS = values "SELECT i.job_id, i.slot, i.items, j.project_id FROM job_items i \
        JOIN jobs j ON j.tracking_token = i.job_id WHERE j.status = 'canceled' AND i.job_id IN (" each "?"
        then ") ORDER BY i.job_id, i.slot LIMIT $1";
    SLOT = "DELETE FROM job_items WHERE job_id = $1 AND slot = $2";
    FAILURES = values "DELETE FROM job_failures WHERE (job_id, seq) IN (SELECT job_id, seq FROM job_failures \
        WHERE job_id IN (" each "?" then ") ORDER BY job_id, seq LIMIT $1)";
    HOLDS = values "DELETE FROM holds WHERE job_id IN (" each "?" then ")";
    JOBS = values "DELETE FROM jobs WHERE tracking_token IN (" each "?" then ")";
    CAPTURED_IN = sqlite "SELECT project_id FROM keys WHERE state = 'captured' AND updated_at < $1 \
            AND project_id NOT IN (SELECT value FROM json_each($2)) ORDER BY updated_at LIMIT 1",
        postgres "SELECT project_id FROM keys WHERE state = 'captured' AND updated_at < $1 \
            AND project_id <> ALL (CAST(translate($2, '[]', '{}') AS TEXT[])) ORDER BY updated_at LIMIT 1";
    CAPTURED = "DELETE FROM keys WHERE id IN (SELECT id FROM keys WHERE project_id = $1 AND state = 'captured' \
        AND updated_at < $2 ORDER BY ref LIMIT $3) \
        AND NOT EXISTS (SELECT 1 FROM staged_runs r WHERE r.project_id = $1 AND r.is_moving)";
    MEMORY = sqlite "DELETE FROM memory WHERE (workspace_id, source_language, target_language, source_hash, engine) IN \
            (SELECT workspace_id, source_language, target_language, source_hash, engine FROM memory \
            WHERE used_at < $1 AND updated_at < $1 ORDER BY used_at LIMIT $2)",
        postgres "DELETE FROM memory WHERE (workspace_id, source_language, target_language, source_hash, engine) IN \
            (SELECT workspace_id, source_language, target_language, source_hash, engine FROM memory \
            WHERE used_at < $1 AND updated_at < $1 ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
    PROJECT_MEMORY = sqlite "DELETE FROM project_memory \
            WHERE (project_id, source_language, target_language, source_hash, engine) IN \
            (SELECT project_id, source_language, target_language, source_hash, engine FROM project_memory \
            WHERE used_at < $1 ORDER BY used_at LIMIT $2)",
        postgres "DELETE FROM project_memory \
            WHERE (project_id, source_language, target_language, source_hash, engine) IN \
            (SELECT project_id, source_language, target_language, source_hash, engine FROM project_memory \
            WHERE used_at < $1 ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
    SUPERSEDED = sqlite "SELECT id FROM document_sources WHERE superseded_at IS NOT NULL AND superseded_at < $1 \
            ORDER BY superseded_at LIMIT $2",
        postgres "SELECT id FROM document_sources WHERE superseded_at IS NOT NULL AND superseded_at < $1 \
            ORDER BY superseded_at LIMIT $2 FOR UPDATE SKIP LOCKED";
    SOURCES = values "DELETE FROM document_sources \
        WHERE NOT EXISTS (SELECT 1 FROM document_versions v WHERE v.source_id = document_sources.id) \
        AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = document_sources.document_id \
        AND d.source_id = document_sources.id) AND id IN (" each "?" then ")";
    STILL_NEEDED = values "UPDATE document_sources SET superseded_at = NULL WHERE id IN (" each "?" then ")";
    USED_OPERATIONS = sqlite "DELETE FROM operations WHERE id IN \
            (SELECT id FROM operations WHERE status = 'used' AND decided_at < $1 ORDER BY decided_at LIMIT $2)",
        postgres "DELETE FROM operations WHERE id IN \
            (SELECT id FROM operations WHERE status = 'used' AND decided_at < $1 ORDER BY decided_at LIMIT $2 \
            FOR UPDATE SKIP LOCKED)";
    UNUSED_SEGMENTS = sqlite "SELECT project_id, language, hash FROM segments WHERE used_at < $1 \
            AND project_id NOT IN (SELECT value FROM json_each($2)) ORDER BY used_at LIMIT $3",
        postgres "SELECT project_id, language, hash FROM segments WHERE used_at < $1 \
            AND project_id <> ALL (CAST(translate($2, '[]', '{}') AS TEXT[])) ORDER BY used_at LIMIT $3";
    DOCUMENTS = "SELECT d.id, (SELECT CAST(COALESCE(SUM(octet_length(s.segments)), 0) AS BIGINT) FROM document_sources s \
        WHERE s.document_id = d.id) AS bytes FROM documents d WHERE d.project_id = $1 AND d.id > $2 ORDER BY d.id LIMIT $3";
    SEGMENTS_OF = values "SELECT id, segments FROM document_sources WHERE document_id IN (" each "?" then ")";
    NEXT_SOURCE = "SELECT id, segments FROM document_sources WHERE document_id = $1 AND id > $2 ORDER BY id LIMIT 1";
    TOUCH_SEGMENTS = values "UPDATE segments SET used_at = $3 WHERE project_id = $1 AND language = $2 AND hash IN ("
        each "?" then ")";
    SEGMENTS = values "DELETE FROM segments WHERE project_id = $1 AND language = $2 AND used_at < $3 AND hash IN ("
        each "?" then ") RETURNING hash";
    SEGMENT_TRANSLATIONS = values "DELETE FROM segment_translations WHERE project_id = $1 AND source_language = $2 \
        AND language = $3 AND hash IN (" each "?" then ")";
}

/// Jobs that ended before a time, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn finished_jobs(tx: &mut Tx, before: Timestamp, most: i64) -> Result<Vec<String>, StoreError> {
    let rows = fetch_all!(tx, (String,), FINISHED_JOBS, before.as_millis(), most)?;
    Ok(rows.into_iter().map(|(token,)| token).collect())
}

/// Jobs of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn jobs_of(tx: &mut Tx, project_id: &ProjectId, most: i64) -> Result<Vec<String>, StoreError> {
    let rows = fetch_all!(tx, (String,), JOBS_OF_PROJECT, project_id.as_str(), most)?;
    Ok(rows.into_iter().map(|(token,)| token).collect())
}

/// Deletes the rows of jobs, at most `most`, and the jobs once nothing else is left of them; returns the number of
/// rows. Their charges stay in the ledger.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_jobs(tx: &mut Tx, tokens: &[String], most: i64) -> Result<u64, StoreError> {
    if tokens.is_empty() {
        return Ok(0);
    }
    let chunks = execute_values!(tx, CHUNKS, [most], tokens, |token| [token.as_str()])?;
    if chunks > 0 {
        return Ok(chunks);
    }
    let canceled = delete_canceled_slots(tx, tokens).await?;
    if canceled > 0 {
        return Ok(canceled);
    }
    let items = execute_values!(tx, ITEMS, [most], tokens, |token| [token.as_str()])?;
    if items > 0 {
        return Ok(items);
    }
    let failures = execute_values!(tx, FAILURES, [most], tokens, |token| [token.as_str()])?;
    if failures > 0 {
        return Ok(failures);
    }
    job_engines::delete(tx, tokens).await?;
    execute_values!(tx, HOLDS, [], tokens, |token| [token.as_str()])?;
    execute_values!(tx, JOBS, [], tokens, |token| [token.as_str()])
}

row! {
    /// A slot of a canceled job, whose items may still be noted as pending.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CanceledSlot {
        /// The job
        pub job_id: String,
        /// The number of the slot
        pub slot: i64,
        /// Its items
        pub items: Json<Vec<JobItem>>,
        /// The project of the job
        pub project_id: ProjectId,
    }
}

/// Deletes some slots of canceled jobs with what is noted of their items; returns how many. The last chunk of a slot forgets
/// its items, and those of canceled jobs do not come to their last chunk.
async fn delete_canceled_slots(tx: &mut Tx, tokens: &[String]) -> Result<u64, StoreError> {
    let slots = fetch_values!(tx, CanceledSlot, CANCELED_SLOTS, [SLOTS_AT_ONCE], tokens, |token| [token.as_str()])?;
    for slot in &slots {
        pending_items::forget(tx, &slot.project_id, &slot.job_id, &slot.items.0).await?;
        execute!(tx, SLOT, &slot.job_id, slot.slot)?;
    }
    Ok(slots.len() as u64)
}

/// The project, save some, of the captured key that has waited longest, since before a time.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn with_captured(
    tx: &mut Tx,
    before: Timestamp,
    except: &[ProjectId],
) -> Result<Option<ProjectId>, StoreError> {
    let found = fetch_optional!(tx, (String,), CAPTURED_IN, before.as_millis(), listed(except.iter().map(ProjectId::as_str)))?;
    Ok(found.map(|(project_id,)| project_id.into()))
}

/// Deletes captured keys of a project that have waited since before a time; returns how many. None goes while changes of a run
/// are being moved to their place.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn captured(tx: &mut Tx, project_id: &ProjectId, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    lock::project(tx, project_id).await?;
    execute!(tx, CAPTURED, project_id.as_str(), before.as_millis(), most)
}

/// Deletes entries of shared memory that no run has used since a time; returns how many. The time of a use is as late as it
/// says, or later by [`USED_MILLIS`] at most.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn memory(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, MEMORY, before.as_millis() - USED_MILLIS, most)
}

/// Like [`memory`], for the memories of projects.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn project_memory(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, PROJECT_MEMORY, before.as_millis() - USED_MILLIS, most)
}

/// Deletes used operations that were decided before a time; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn used_operations(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, USED_OPERATIONS, before.as_millis(), most)
}

/// Deletes sources of documents that were replaced before a time and that no version names; returns how many were looked at.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn document_sources(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    let ids = fetch_all!(tx, (String,), SUPERSEDED, before.as_millis(), most)?;
    if ids.is_empty() {
        return Ok(0);
    }
    execute_values!(tx, SOURCES, [], ids, |(id,)| [id.as_str()])?;
    // Those that are left are named by a version: the sweep does not meet them again.
    execute_values!(tx, STILL_NEEDED, [], ids, |(id,)| [id.as_str()])?;
    Ok(ids.len() as u64)
}

row! {
    /// A text that no document has been found to have for a while.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UnusedSegment {
        /// Its project
        pub project_id: ProjectId,
        /// The language that it is written in
        pub language: String,
        /// Its hash
        pub hash: SourceHash,
    }
}

/// Texts of documents that were last found in use before a time, save those of some projects.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn unused_segments(
    tx: &mut Tx,
    before: Timestamp,
    except: &[ProjectId],
    most: i64,
) -> Result<Vec<UnusedSegment>, StoreError> {
    fetch_all!(tx, UnusedSegment, UNUSED_SEGMENTS, before.as_millis(), listed(except.iter().map(ProjectId::as_str)), most)
}

/// The documents of a project after one, archived ones too, by id, with the lengths of the lists of all their sources together.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn documents_of(
    tx: &mut Tx,
    project_id: &ProjectId,
    after: &str,
    most: i64,
) -> Result<Vec<SizedDocument>, StoreError> {
    fetch_all!(tx, SizedDocument, DOCUMENTS, project_id.as_str(), after, most)
}

row! {
    /// A source of a document with its texts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SegmentHashes {
        /// `cvr_…`
        pub id: String,
        /// The hashes of its texts
        pub segments: Json<Vec<SourceHash>>,
    }
}

row! {
    /// A text that was deleted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct DeletedText {
        /// Its hash
        pub hash: SourceHash,
    }
}

/// The texts of all sources that these documents have.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn segments_of(tx: &mut Tx, documents: &[SizedDocument]) -> Result<Vec<SegmentHashes>, StoreError> {
    fetch_values!(tx, SegmentHashes, SEGMENTS_OF, [], documents, |document| [document.id.as_str()])
}

/// The first source of a document whose id sorts after `after`, with its texts.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn source_after(tx: &mut Tx, document: &str, after: &str) -> Result<Option<SegmentHashes>, StoreError> {
    fetch_optional!(tx, SegmentHashes, NEXT_SOURCE, document, after)
}

/// Notes that texts are in use.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn touch_segments(
    tx: &mut Tx,
    project_id: &ProjectId,
    language: &str,
    hashes: &[SourceHash],
    at: Timestamp,
) -> Result<u64, StoreError> {
    execute_values!(tx, TOUCH_SEGMENTS, [project_id.as_str(), language, at.as_millis()], hashes, |hash| [hash.as_bytes()])
}

/// Deletes texts with their translations into `targets`, but those that were pushed again since a time; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_segments(
    tx: &mut Tx,
    project_id: &ProjectId,
    language: &str,
    targets: &[String],
    before: Timestamp,
    hashes: &[SourceHash],
) -> Result<usize, StoreError> {
    let gone =
        fetch_values!(tx, DeletedText, SEGMENTS, [project_id.as_str(), language, before.as_millis()], hashes, |hash| [hash.as_bytes()])?;
    for target in targets {
        execute_values!(
            tx,
            SEGMENT_TRANSLATIONS,
            [project_id.as_str(), language, target.as_str()],
            gone,
            |row| [row.hash.as_bytes()]
        )?;
    }
    Ok(gone.len())
}

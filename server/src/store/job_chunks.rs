//! The chunks that translation jobs are cut into, and the items of these, which chunks of several languages share.

use l10n_api_types::{Millicredits, ProjectId, TrackingToken};
use l10n_formats::SourceHash;
use serde::{Deserialize, Serialize};

use super::row::{Json, to_json};
use super::{StoreError, Tx};

/// A text to translate, once, for every key that says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobItem {
    /// Hash of the text
    #[serde(rename = "h")]
    pub hash: SourceHash,
    /// The quoted price
    #[serde(rename = "p")]
    pub price: Millicredits,
    /// Ids of the keys that say it; of a document's segment, its hash
    #[serde(rename = "k")]
    pub keys: Vec<String>,
}

row! {
    /// A part of a job that is committed as a whole.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Chunk {
        /// Its place in the job
        pub seq: i64,
        /// The language that it is translated into
        pub language: String,
        /// The slot of the items that it shares with other languages; `None` if an earlier release has written them
        /// into the chunk
        pub slot: Option<i64>,
        /// Its items
        pub items: Json<Vec<JobItem>>,
    }
}

/// The results of a chunk that are added to its job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkOutcome {
    /// Translations that ended well
    pub done: i64,
    /// Those that failed
    pub failed: i64,
    /// Those among `done` that a check holds back
    pub needs_review: i64,
    /// Their price
    pub charged: Millicredits,
}

row! {
    /// The pending items of a chunk of an unfinished job.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PendingChunk {
        /// The language
        pub language: String,
        /// True if the job replaces texts of people that existed when it was queued
        pub retranslate: bool,
        /// Its items
        pub items: Json<Vec<JobItem>>,
    }
}

row! {
    /// The progress of a job in one language.
    #[derive(Debug, Clone, PartialEq, Eq, Hash)]
    pub struct JobLanguageProgress {
        /// BCP 47
        pub language: String,
        /// Its chunks
        pub chunks: i64,
        /// Those that have ended
        pub ended: i64,
        /// Translations that ended well
        pub done: i64,
        /// Those that failed
        pub failed: i64,
    }
}

statements! {
    INSERT_ITEMS = values "INSERT INTO job_items (job_id, slot, items) VALUES" each "(?, ?, ?)" then "";
    INSERT_CHUNKS = values "INSERT INTO job_chunks (job_id, language, seq, slot, items, status, done, failed, charged) VALUES"
        each "(?, ?, ?, ?, '', 'pending', 0, 0, 0)" then "";
    LANGUAGES = "SELECT first.language, COUNT(*) AS chunks, \
        CAST(SUM(CASE WHEN first.status = 'done' THEN 1 ELSE 0 END) AS BIGINT) AS ended, \
        CAST(SUM(first.done) AS BIGINT) AS done, CAST(SUM(first.failed) AS BIGINT) AS failed \
        FROM (SELECT language, status, done, failed FROM job_chunks WHERE job_id = $1 ORDER BY seq LIMIT $2) first \
        GROUP BY first.language ORDER BY first.language";
    PENDING = "SELECT seq, language FROM job_chunks WHERE job_id = $1 AND status = 'pending' ORDER BY seq LIMIT $2";
    PENDING_CHUNK = "SELECT c.seq, c.language, c.slot, COALESCE(i.items, c.items) AS items FROM job_chunks c \
        LEFT JOIN job_items i ON i.job_id = c.job_id AND i.slot = c.slot \
        WHERE c.job_id = $1 AND c.seq = $2 AND c.status = 'pending'";
    // Counts no further than one: it is asked after every chunk.
    PENDING_CHUNKS = "SELECT COUNT(*) FROM (SELECT 1 FROM job_chunks WHERE job_id = $1 AND status = 'pending' LIMIT 1) one";
    FINISH_CHUNK = "UPDATE job_chunks SET status = 'done', done = $3, failed = $4, charged = $5 \
        WHERE job_id = $1 AND seq = $2 AND status = 'pending'";
    DONE_CHUNKS = "SELECT c.seq, c.language, c.slot, COALESCE(i.items, c.items) AS items FROM job_chunks c \
        LEFT JOIN job_items i ON i.job_id = c.job_id AND i.slot = c.slot \
        WHERE c.job_id = $1 AND c.seq >= $2 AND c.status = 'done' ORDER BY c.seq LIMIT $3";
    UNFINISHED = "SELECT c.language, j.retranslate, c.items FROM jobs j JOIN job_chunks c ON c.job_id = j.tracking_token \
        WHERE j.project_id = $1 AND j.document_id IS NULL AND j.status IN ('queued', 'running') AND c.status = 'pending' \
        AND NOT EXISTS (SELECT 1 FROM job_items i WHERE i.job_id = j.tracking_token)";
    PENDING_OF = values "SELECT c.language, j.retranslate, c.items FROM jobs j JOIN job_chunks c ON c.job_id = j.tracking_token \
        WHERE c.status = 'pending' AND j.tracking_token IN (" each "?" then ")";
}

/// Writes what chunks of a job translate, each slot once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert_items(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    slots: &[(i64, &[JobItem])],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(slots.len());
    for (slot, units) in slots {
        rows.push((slot, to_json("job_items.items", *units)?));
    }
    execute_values!(tx, INSERT_ITEMS, [], rows, |(slot, items)| [tracking_token.as_str(), **slot, items.as_str()])
        .map(drop)
}

/// Writes chunks of a job into a language: the place of each, and the slot of its items.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert_chunks(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    language: &str,
    chunks: &[(i64, i64)],
) -> Result<(), StoreError> {
    execute_values!(tx, INSERT_CHUNKS, [], chunks, |(seq, slot)| [tracking_token.as_str(), language, *seq, *slot])
        .map(drop)
}

/// The first chunks that have not ended, at most `limit`: their places and languages.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn pending(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    limit: usize,
) -> Result<Vec<(i64, String)>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    fetch_all!(tx, (i64, String), PENDING, tracking_token.as_str(), limit)
}

/// The chunk at this place, if it has not ended.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn pending_chunk(tx: &mut Tx, tracking_token: &TrackingToken, seq: i64) -> Result<Option<Chunk>, StoreError> {
    fetch_optional!(tx, Chunk, PENDING_CHUNK, tracking_token.as_str(), seq)
}

/// Ends a chunk; `false` if it has ended before. Its job counts it in `jobs::finish_chunk`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn finish(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    seq: i64,
    outcome: ChunkOutcome,
) -> Result<bool, StoreError> {
    let ChunkOutcome { done, failed, charged, .. } = outcome;
    Ok(execute!(tx, FINISH_CHUNK, tracking_token.as_str(), seq, done, failed, charged.0)? == 1)
}

/// Returns true if a chunk has not ended.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn has_pending_chunks(tx: &mut Tx, tracking_token: &TrackingToken) -> Result<bool, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), PENDING_CHUNKS, tracking_token.as_str())?;
    Ok(count > 0)
}

/// Chunks that have ended, from `seq` on, in order, at most `limit`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn done_chunks(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    seq: i64,
    limit: i64,
) -> Result<Vec<Chunk>, StoreError> {
    fetch_all!(tx, Chunk, DONE_CHUNKS, tracking_token.as_str(), seq, limit)
}

/// The progress of a job by language, as far as its first `chunks` chunks tell.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn languages(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    chunks: i64,
) -> Result<Vec<JobLanguageProgress>, StoreError> {
    fetch_all!(tx, JobLanguageProgress, LANGUAGES, tracking_token.as_str(), chunks)
}

/// The pending items of some jobs.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn pending_of(tx: &mut Tx, tracking_tokens: &[TrackingToken]) -> Result<Vec<PendingChunk>, StoreError> {
    fetch_values!(tx, PendingChunk, PENDING_OF, [], tracking_tokens, |token| [token.as_str()])
}

/// The pending items of a project's unfinished jobs that an earlier release has queued: only their chunks know their
/// items.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn pending_without_slots(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<PendingChunk>, StoreError> {
    fetch_all!(tx, PendingChunk, UNFINISHED, project_id.as_str())
}

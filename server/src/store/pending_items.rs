//! Pending items of unfinished jobs, found by key or segment. Rows are written with a job's items, and deleted with the
//! last chunk of their slot; a row that is left over means nothing, since the chunks decide.

use l10n_api_types::{ProjectId, TrackingToken};
use l10n_formats::SourceHash;

use super::job_chunks::JobItem;
use super::{StoreError, Tx};

row! {
    /// A text that an unfinished job will translate into a language.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PendingItem {
        /// The key's id, or the hash of the segment
        pub item: String,
        /// Hash of the text
        pub hash: SourceHash,
        /// The language
        pub language: String,
        /// True if the job replaces texts of people that existed when it was queued
        pub retranslate: bool,
    }
}

statements! {
    OF_KEYS = values "SELECT p.item, p.hash, c.language, j.retranslate FROM pending_items p \
        JOIN jobs j ON j.tracking_token = p.job_id JOIN job_chunks c ON c.job_id = p.job_id AND c.slot = p.slot \
        WHERE p.project_id = $1 AND j.status IN ('queued', 'running') AND j.document_id IS NULL \
        AND c.status = 'pending' AND p.item IN (" each "?" then ")";
    OF_SEGMENTS = values "SELECT p.item, p.hash, c.language, j.retranslate FROM pending_items p \
        JOIN jobs j ON j.tracking_token = p.job_id JOIN documents d ON d.id = j.document_id \
        JOIN job_chunks c ON c.job_id = p.job_id AND c.slot = p.slot \
        WHERE p.project_id = $1 AND d.language = $2 AND j.status IN ('queued', 'running') \
        AND c.status = 'pending' AND p.item IN (" each "?" then ")";
    INSERT = values "INSERT INTO pending_items (project_id, job_id, slot, item, hash) VALUES" each "(?, ?, ?, ?, ?)" then "";
    SETTLE = values "DELETE FROM pending_items WHERE project_id = $1 AND job_id = $2 AND slot = $3 AND NOT EXISTS \
        (SELECT 1 FROM job_chunks c WHERE c.job_id = $2 AND c.slot = $3 AND c.status = 'pending') AND item IN ("
        each "?" then ")";
    FORGET = values "DELETE FROM pending_items WHERE project_id = $1 AND job_id = $2 AND item IN (" each "?" then ")";
}

/// A row to write.
#[derive(Debug, Clone, Copy)]
pub struct NewPending<'a> {
    /// The key's id, or the hash of the segment
    pub item: &'a str,
    /// The slot of the job
    pub slot: i64,
    /// Hash of the text
    pub hash: SourceHash,
}

/// The pending items of a project's unfinished jobs for these keys, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_keys(tx: &mut Tx, project_id: &ProjectId, ids: &[&str]) -> Result<Vec<PendingItem>, StoreError> {
    fetch_values!(tx, PendingItem, OF_KEYS, [project_id.as_str()], ids, |id| [*id])
}

/// The pending items of a project's unfinished document jobs in `language` for these segments, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_segments(
    tx: &mut Tx,
    project_id: &ProjectId,
    language: &str,
    hashes: &[&str],
) -> Result<Vec<PendingItem>, StoreError> {
    fetch_values!(tx, PendingItem, OF_SEGMENTS, [project_id.as_str(), language], hashes, |hash| [*hash])
}

/// Writes what a job will translate.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(
    tx: &mut Tx,
    project_id: &ProjectId,
    tracking_token: &TrackingToken,
    items: &[NewPending<'_>],
) -> Result<(), StoreError> {
    execute_values!(tx, INSERT, [], items, |new| [
        project_id.as_str(),
        tracking_token.as_str(),
        new.slot,
        new.item,
        new.hash.as_bytes()
    ])
    .map(drop)
}

/// After the end of a chunk: forgets the items of its slot, unless another language still waits for them.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn settle(
    tx: &mut Tx,
    project_id: &ProjectId,
    tracking_token: &TrackingToken,
    slot: i64,
    items: &[&str],
) -> Result<u64, StoreError> {
    execute_values!(tx, SETTLE, [project_id.as_str(), tracking_token.as_str(), slot], items, |item| [*item])
}

/// Forgets the items of a slot whose job translates nothing more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn forget(tx: &mut Tx, project_id: &ProjectId, tracking_token: &str, slot: &[JobItem]) -> Result<u64, StoreError> {
    let items: Vec<&str> = slot.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
    execute_values!(tx, FORGET, [project_id.as_str(), tracking_token], items, |item| [*item])
}

//! Sources of documents: what was pushed. Rows are written once and never changed, but for a hash that is not there yet.

use std::collections::HashMap;

use l10n_api_types::VersionId;
use l10n_api_types::content::SegmentCounts;
use l10n_formats::SourceHash;

use super::row::to_json;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    INSERT = "INSERT INTO document_sources (id, document_id, title, body, sha256, characters, segments, counts, \
        created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    SUPERSEDE = "UPDATE document_sources SET superseded_at = $2 WHERE id = $1";
    SET_SHA256 = "UPDATE document_sources SET sha256 = $2 WHERE id = $1";
    BODY = "SELECT body FROM document_sources WHERE id = $2 AND document_id = $1";
    BODIES = values "SELECT id, body FROM document_sources WHERE id IN (" each "?" then ")";
}

/// A source to add.
#[derive(Debug, Clone, Copy)]
pub struct NewSource<'a> {
    /// `cvr_…`
    pub id: &'a VersionId,
    /// Its document
    pub document_id: &'a str,
    /// Its own title
    pub title: Option<&'a str>,
    /// Its text
    pub body: &'a str,
    /// SHA-256 of it
    pub sha256: &'a [u8; 32],
    /// Unicode scalar values of its translatable text
    pub characters: i64,
    /// Its segments in their order
    pub segments: &'a [SourceHash],
    /// Their counts, compared with the previous source
    pub counts: SegmentCounts,
    /// Now
    pub created_at: Timestamp,
}

/// Notes that a newer source has come, so that this one is deleted when its retention is over.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such source.
pub async fn supersede(tx: &mut Tx, id: &VersionId, at: Timestamp) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SUPERSEDE, id.as_str(), at.as_millis())?)
}

/// Adds a source.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewSource<'_>) -> Result<(), StoreError> {
    let segments = to_json("document_sources.segments", new.segments)?;
    let counts = to_json("document_sources.counts", &new.counts)?;
    execute!(
        tx,
        INSERT,
        new.id.as_str(),
        new.document_id,
        new.title,
        new.body,
        &new.sha256[..],
        new.characters,
        segments.as_str(),
        counts.as_str(),
        new.created_at.as_millis(),
    )
    .map(drop)
}

/// Writes the hash of a source that was pushed before hashes were stored.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn set_sha256(tx: &mut Tx, id: &VersionId, sha256: &[u8; 32]) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_SHA256, id.as_str(), &sha256[..])?)
}

/// The text of a source of a document, if it is one of its.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn body(tx: &mut Tx, document_id: &str, id: &VersionId) -> Result<Option<String>, StoreError> {
    let found = fetch_optional!(tx, (String,), BODY, document_id, id.as_str())?;
    Ok(found.map(|(body,)| body))
}

/// The texts of some sources, by source.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn bodies(tx: &mut Tx, ids: &[&VersionId]) -> Result<HashMap<VersionId, String>, StoreError> {
    let found = fetch_values!(tx, (String, String), BODIES, [], ids, |id| [id.as_str()])?;
    Ok(found.into_iter().map(|(id, body)| (id.into(), body)).collect())
}

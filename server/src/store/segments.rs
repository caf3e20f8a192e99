//! The texts of documents: each stands once for a project and the language that it is written in.

use l10n_api_types::ProjectId;
use l10n_formats::SourceHash;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Segment {
        /// Its hash
        pub hash: SourceHash,
        /// Its text, inline markup as numbered tags
        pub text: String,
        /// Unicode scalar values of it, tags not counted
        pub characters: i64,
    }
}

statements! {
    KEEP = values "INSERT INTO segments (project_id, language, hash, text, characters, used_at) VALUES"
        each "(?, ?, ?, ?, ?, ?)" then "ON CONFLICT (project_id, language, hash) DO UPDATE SET used_at = excluded.used_at \
        WHERE segments.used_at < excluded.used_at - 604800000";
    FIND = values "SELECT hash, text, characters FROM segments WHERE project_id = $1 AND language = $2 AND hash IN ("
        each "?" then ")";
}

/// Keeps those that are not there yet, and notes that the others are in use where that was last noted more than
/// [`USED_MILLIS`](super::memory::USED_MILLIS) ago; each hash stands once in `segments`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn keep(
    tx: &mut Tx,
    project_id: &ProjectId,
    language: &str,
    segments: &[Segment],
    at: Timestamp,
) -> Result<(), StoreError> {
    execute_values!(tx, KEEP, [], segments, |segment| [
        project_id.as_str(),
        language,
        segment.hash.as_bytes(),
        segment.text.as_str(),
        segment.characters,
        at.as_millis(),
    ])
    .map(drop)
}

/// Texts by their hashes, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    tx: &mut Tx,
    project_id: &ProjectId,
    language: &str,
    hashes: &[SourceHash],
) -> Result<Vec<Segment>, StoreError> {
    fetch_values!(tx, Segment, FIND, [project_id.as_str(), language], hashes, |hash| [hash.as_bytes()])
}

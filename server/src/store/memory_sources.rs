//! The texts that translation memory has translations of (`migrations/*/0302_memory_sources.sql`).

use std::collections::HashMap;

use l10n_api_types::Content;
use l10n_formats::SourceHash;

use super::memory::{MemoryOwner, MemorySpace, USED_MILLIS};
use super::memory_index::TokenizedText;
use super::row::{Json, Stored as _, to_json};
use super::{StoreError, Tx, memory_index};
use crate::clock::Timestamp;

row! {
    /// A text.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MemorySource {
        /// Hash of the text
        pub source_hash: SourceHash,
        /// The text
        pub source: Json<Content>,
    }
}

row! {
    /// A text that is not read yet.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MemoryText {
        /// Hash of the text
        pub source_hash: SourceHash,
        /// Bytes of it, as it is stored
        pub bytes: i64,
    }
}

/// Texts by their numbers, as one row with a line for each: JSON has no line ends in its strings. A hash may be that of another
/// owner's text, which is left out. PostgreSQL looks each up by its key, with statistics or without, and keeps the plan, as
/// `memory.rs` says of its lists.
macro_rules! sources {
    ($numbers:literal) => {
        concat!(
            "SELECT string_agg((SELECT m.number || ' ' || m.source FROM memory_sources m WHERE m.number = wanted.value \
            AND m.owner_id IN ($2, $3)), '\n') FROM ",
            $numbers
        )
    };
}

statements! {
    KEEP = values "INSERT INTO memory_sources (owner_id, source_language, is_human, source_hash, source, used_at, is_indexed) VALUES"
        each "(?, ?, ?, ?, ?, ?, FALSE)" then "ON CONFLICT (owner_id, source_language, is_human, source_hash) \
        DO UPDATE SET used_at = excluded.used_at WHERE memory_sources.used_at < excluded.used_at - 604800000";
    TOUCH = values "UPDATE memory_sources SET used_at = $4 WHERE owner_id = $1 AND source_language = $2 AND is_human = $3 \
        AND used_at < $5 AND source_hash IN (" each "?" then ")";
    PAGE = "SELECT source_hash, CAST(octet_length(source) AS BIGINT) AS bytes FROM memory_sources WHERE owner_id = $1 AND source_language = $2 \
        AND is_human = $3 AND source_hash > $4 ORDER BY source_hash LIMIT $5";
    OF_HASHES = values "SELECT source_hash, source FROM memory_sources WHERE owner_id = $1 AND source_language = $2 \
        AND is_human = $3 AND source_hash IN (" each "?" then ")";
    SOURCES = sqlite sources!("json_each($1) AS wanted"),
        postgres sources!("unnest((SELECT CAST(translate($1, '[]', '{}') AS BIGINT[]))) AS wanted (value)");
    EXPIRED = sqlite "SELECT number, owner_id, source_language, is_human, source FROM memory_sources WHERE used_at < $1 \
            ORDER BY used_at LIMIT $2",
        postgres "SELECT number, owner_id, source_language, is_human, source FROM memory_sources WHERE used_at < $1 \
            ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED";
    OF_OWNER = sqlite "SELECT number, owner_id, source_language, is_human, source FROM memory_sources WHERE owner_id = $1 \
            ORDER BY source_language, is_human, source_hash LIMIT $2",
        postgres "SELECT number, owner_id, source_language, is_human, source FROM memory_sources WHERE owner_id = $1 \
            ORDER BY source_language, is_human, source_hash LIMIT $2 FOR UPDATE";
    DELETE = values "DELETE FROM memory_sources WHERE number IN (" each "?" then ")";
}

/// Keeps texts that memory has translations of, and notes that those are in use that are there; each hash once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn keep(
    tx: &mut Tx,
    space: MemorySpace<'_>,
    texts: &[(SourceHash, &Content)],
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(texts.len());
    for (hash, content) in texts {
        rows.push((hash, to_json("memory_sources.source", content)?));
    }
    execute_values!(tx, KEEP, [], rows, |(hash, content)| [
        space.owner.id(),
        space.source_language,
        space.is_human,
        hash.as_bytes(),
        content.as_str(),
        at.as_millis(),
    ])
    .map(drop)
}

/// Notes that a run took translations of these texts, so that they are kept.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn touch(
    tx: &mut Tx,
    space: MemorySpace<'_>,
    hashes: &[SourceHash],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let long_ago = at.as_millis() - USED_MILLIS;
    execute_values!(
        tx,
        TOUCH,
        [space.owner.id(), space.source_language, space.is_human, at.as_millis(), long_ago],
        hashes,
        |hash| [hash.as_bytes()]
    )
}

/// The texts with these numbers that belong to one of two owners, by their numbers.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    tx: &mut Tx,
    owners: [MemoryOwner<'_>; 2],
    numbers: &[i64],
) -> Result<HashMap<i64, Content>, StoreError> {
    if numbers.is_empty() {
        return Ok(HashMap::new());
    }
    let numbers = format!("{numbers:?}");
    let [one, other] = owners;
    let (lines,) = fetch_one!(tx, (Option<String>,), SOURCES, numbers, one.id(), other.id())?;
    let read = lines.as_deref().unwrap_or_default().lines().map(|line| {
        let text = line.split_once(' ').and_then(|(number, content)| Some((number.parse().ok()?, content)));
        let (number, content) =
            text.ok_or_else(|| StoreError::corrupt("memory_sources.source", "a line without number and text"))?;
        let content = Json::from_raw(content.to_owned());
        let content = content.map_err(|reason| StoreError::corrupt("memory_sources.source", reason))?;
        Ok((number, content.0))
    });
    read.collect()
}

/// At most `most` texts after the one whose hash is `after`, in the order of their hashes.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(
    tx: &mut Tx,
    space: MemorySpace<'_>,
    after: Option<SourceHash>,
    most: i64,
) -> Result<Vec<MemoryText>, StoreError> {
    let after = after.as_ref().map_or(&[][..], SourceHash::as_bytes);
    let (owner, language) = (space.owner.id(), space.source_language);
    fetch_all!(tx, MemoryText, PAGE, owner, language, space.is_human, after, most)
}

/// The texts with these hashes, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_hashes(
    tx: &mut Tx,
    space: MemorySpace<'_>,
    hashes: &[SourceHash],
) -> Result<Vec<MemorySource>, StoreError> {
    fetch_values!(
        tx,
        MemorySource,
        OF_HASHES,
        [space.owner.id(), space.source_language, space.is_human],
        hashes,
        |hash| [hash.as_bytes()]
    )
}

/// Deletes some texts that no run has used since a time, with what the index has of them; returns how many. Their translations
/// are gone by then: a text is noted as used with each of them, or [`USED_MILLIS`] earlier at most, as they are.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    let expired = fetch_all!(tx, TokenizedText, EXPIRED, before.as_millis() - 2 * USED_MILLIS, most)?;
    delete(tx, &expired).await
}

/// Deletes some texts of a workspace's or project's memory, with what the index has of them; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_of(tx: &mut Tx, owner: MemoryOwner<'_>, most: i64) -> Result<u64, StoreError> {
    let found = fetch_all!(tx, TokenizedText, OF_OWNER, owner.id(), most)?;
    delete(tx, &found).await
}

async fn delete(tx: &mut Tx, sources: &[TokenizedText]) -> Result<u64, StoreError> {
    memory_index::forget(tx, sources).await?;
    execute_values!(tx, DELETE, [], sources, |source| [source.number])
}

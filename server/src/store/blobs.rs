//! Contents of published files, each stored once, whatever number of versions hold it.

use std::collections::HashMap;

use super::engine::DatabaseKind;
use super::{StoreError, Tx};

text_enum! {
    /// The coding of stored bytes.
    pub enum BlobCoding {
        /// gzip, in the bytes that delivery sends to whoever takes gzip.
        Gzip = "gzip",
    }
}

row! {
    /// A content as it is stored.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Blob {
        /// The coding of the bytes; absent: plain
        pub coding: Option<BlobCoding>,
        /// The bytes
        pub content: Vec<u8>,
    }
}

statements! {
    STORED = values "SELECT b.sha256, s.sha256 IS NOT NULL FROM blobs b LEFT JOIN staged_blobs s ON s.sha256 = b.sha256 \
        WHERE b.sha256 IN (" each "?" then ")";
    HOLD = values "SELECT b.sha256, s.sha256 IS NOT NULL FROM blobs b LEFT JOIN staged_blobs s ON s.sha256 = b.sha256 \
        WHERE b.sha256 IN (" each "?" then ")" lock " FOR KEY SHARE OF b";
    LOCK_FREE = values "SELECT sha256 FROM blobs WHERE sha256 IN (" each "?" then ") ORDER BY sha256"
        lock " FOR UPDATE SKIP LOCKED";
    INSERT = "INSERT INTO blobs (sha256, coding, content) VALUES ($1, $2, $3) ON CONFLICT (sha256) DO NOTHING";
    INSERT_MANY = values "INSERT INTO blobs (sha256, coding, content) VALUES" each "(?, ?, ?)"
        then "ON CONFLICT (sha256) DO NOTHING";
    READ = "SELECT coding, content FROM blobs WHERE sha256 = $1";
    DELETE = values "DELETE FROM blobs WHERE sha256 IN (" each "?" then ") \
        AND NOT EXISTS (SELECT 1 FROM version_files f WHERE f.sha256 = blobs.sha256) \
        AND NOT EXISTS (SELECT 1 FROM document_version_files d WHERE d.sha256 = blobs.sha256)";
}

/// SHA-256 of a content's plain bytes.
pub type Hash = [u8; 32];

/// A content to store, with the hash of its plain bytes.
pub type NewBlob = (Hash, Blob);

/// Those of the contents that are stored, each with whether it is staged, too. None is staged that is not stored.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn stored(tx: &mut Tx, hashes: &[Hash]) -> Result<HashMap<Hash, bool>, StoreError> {
    let found = fetch_values!(tx, (Vec<u8>, bool), STORED, [], hashes, |sha256| [&sha256[..]])?;
    Ok(by_hash(found))
}

/// Like [`stored`]; none of those that it returns is deleted before the end of `tx`. It waits for whoever deletes one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn hold(tx: &mut Tx, hashes: &[Hash]) -> Result<HashMap<Hash, bool>, StoreError> {
    let mut wanted = hashes.to_vec();
    // Each page of the index is then read once.
    wanted.sort_unstable();
    wanted.dedup();
    let found = fetch_values!(tx, (Vec<u8>, bool), HOLD, [], wanted, |sha256| [&sha256[..]])?;
    Ok(by_hash(found))
}

fn by_hash(rows: Vec<(Vec<u8>, bool)>) -> HashMap<Hash, bool> {
    rows.into_iter().filter_map(|(sha256, is_staged)| Some((sha256.try_into().ok()?, is_staged))).collect()
}

/// Those of the contents that nobody holds; nobody else can hold or name them before the end of `tx`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock_free(tx: &mut Tx, hashes: &[Hash]) -> Result<Vec<Hash>, StoreError> {
    let found = fetch_values!(tx, (Vec<u8>,), LOCK_FREE, [], hashes, |sha256| [&sha256[..]])?;
    Ok(found.into_iter().filter_map(|(sha256,)| sha256.try_into().ok()).collect())
}

/// Stores contents that are probably new; returns how many were.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn add<'a>(tx: &mut Tx, contents: impl IntoIterator<Item = &'a NewBlob>) -> Result<u64, StoreError> {
    let mut new: Vec<&NewBlob> = contents.into_iter().collect();
    // In one order, so that two that store the same wait for one another and not each for the other.
    new.sort_by_key(|(sha256, _)| *sha256);
    if tx.engine() == DatabaseKind::Postgres {
        return execute_values!(tx, INSERT_MANY, [], new, |(sha256, blob)| [
            &sha256[..],
            blob.coding.map(BlobCoding::as_str),
            blob.content.as_slice(),
        ]);
    }
    let mut added = 0;
    // One by one: where a statement adds several, SQLite reads the tables that refer to them as a whole for each.
    for (sha256, blob) in new {
        added += execute!(tx, INSERT, &sha256[..], blob.coding.map(BlobCoding::as_str), blob.content.as_slice())?;
    }
    Ok(added)
}

/// The content with this hash, as it is stored, if it is there.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, sha256: &Hash) -> Result<Option<Blob>, StoreError> {
    fetch_optional!(tx, Blob, READ, &sha256[..])
}

/// The content with this hash, as it is stored.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is none, since a file never refers to what is not there.
pub async fn read(tx: &mut Tx, sha256: &Hash) -> Result<Blob, StoreError> {
    fetch_one!(tx, Blob, READ, &sha256[..])
}

/// Deletes those of the contents that no version names; returns how many these were.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_unnamed(tx: &mut Tx, hashes: &[Hash]) -> Result<u64, StoreError> {
    execute_values!(tx, DELETE, [], hashes, |sha256| [&sha256[..]])
}

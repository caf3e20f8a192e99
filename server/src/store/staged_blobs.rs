//! Contents that a publish stored ahead of the version that will name them. A row goes when a version names the content; a
//! row that has grown old belongs to a publish that did not come to its end, and its content goes with it.

use super::blobs::Hash;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    STAGE = values "INSERT INTO staged_blobs (sha256, staged_at) VALUES" each "(?, ?)"
        then "ON CONFLICT (sha256) DO UPDATE SET staged_at = excluded.staged_at";
    LOCK = values "SELECT sha256 FROM staged_blobs WHERE sha256 IN (" each "?" then ") ORDER BY sha256" lock " FOR UPDATE";
    DELETE = values "DELETE FROM staged_blobs WHERE sha256 IN (" each "?" then ")";
    OLD = sqlite "SELECT sha256 FROM staged_blobs WHERE staged_at < $1 ORDER BY staged_at, sha256 LIMIT $2",
        postgres "SELECT sha256 FROM staged_blobs WHERE staged_at < $1 ORDER BY staged_at, sha256 LIMIT $2 \
            FOR UPDATE SKIP LOCKED";
}

/// Notes contents as staged at this time, those that were staged before, too.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn stage(tx: &mut Tx, hashes: &[Hash], at: Timestamp) -> Result<(), StoreError> {
    let mut hashes = hashes.to_vec();
    // In one order, so that two that stage the same wait for one another and not each for the other.
    hashes.sort_unstable();
    hashes.dedup();
    execute_values!(tx, STAGE, [], hashes, |sha256| [&sha256[..], at.as_millis()]).map(drop)
}

/// Forgets that contents are staged: a version names them, or they are deleted.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn forget(tx: &mut Tx, hashes: &[Hash]) -> Result<(), StoreError> {
    let mut hashes = hashes.to_vec();
    hashes.sort_unstable();
    hashes.dedup();
    let locked = fetched(fetch_values!(tx, (Vec<u8>,), LOCK, [], hashes, |sha256| [&sha256[..]])?)?;
    execute_values!(tx, DELETE, [], locked, |sha256| [&sha256[..]]).map(drop)
}

/// At most `most` contents that were staged before a time, the oldest first. Those that somebody else is at are left out.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn old(tx: &mut Tx, before: Timestamp, most: i64) -> Result<Vec<Hash>, StoreError> {
    fetched(fetch_all!(tx, (Vec<u8>,), OLD, before.as_millis(), most)?)
}

fn fetched(rows: Vec<(Vec<u8>,)>) -> Result<Vec<Hash>, StoreError> {
    let hash = |(sha256,): (Vec<u8>,)| {
        sha256.try_into().map_err(|_| StoreError::corrupt("staged_blobs.sha256", "it has not 32 bytes"))
    };
    rows.into_iter().map(hash).collect()
}

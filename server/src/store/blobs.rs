//! Contents of published files, each stored once, whatever number of versions hold it.

use super::{StoreError, Tx};

statements! {
    INSERT = "INSERT INTO blobs (sha256, content) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING";
    BYTES = "SELECT CAST(LENGTH(content) AS BIGINT) FROM blobs WHERE sha256 = $1";
    READ = "SELECT content FROM blobs WHERE sha256 = $1";
}

/// Stores a content, unless it is there.
///
/// # Errors
///
/// As the store.
pub async fn keep(tx: &mut Tx, sha256: &[u8; 32], content: &[u8]) -> Result<(), StoreError> {
    if fetch_optional!(tx, (i64,), BYTES, &sha256[..])?.is_some() {
        return Ok(());
    }
    execute!(tx, INSERT, &sha256[..], content).map(drop)
}

/// The content with this hash.
///
/// # Errors
///
/// As the store; also when there is none, since a file never refers to what is not there.
pub async fn read(tx: &mut Tx, sha256: &[u8; 32]) -> Result<Vec<u8>, StoreError> {
    let (content,) = fetch_one!(tx, (Vec<u8>,), READ, &sha256[..])?;
    Ok(content)
}

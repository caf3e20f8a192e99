//! Contents of published files, each stored once, whatever number of versions hold it.

use std::collections::HashSet;

use super::{StoreError, Tx};

statements! {
    EXISTING = values "SELECT sha256 FROM blobs WHERE sha256 IN (" each "?" then ")";
    INSERT = "INSERT INTO blobs (sha256, content) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING";
    READ = "SELECT content FROM blobs WHERE sha256 = $1";
}

/// A content and its hash.
pub type Content = ([u8; 32], Vec<u8>);

/// Stores contents, each unless it is there.
///
/// # Errors
///
/// As the store.
pub async fn keep(tx: &mut Tx, contents: &[Content]) -> Result<(), StoreError> {
    let existing = fetch_values!(tx, (Vec<u8>,), EXISTING, [], contents, |(sha256, _)| [&sha256[..]])?;
    let existing: HashSet<Vec<u8>> = existing.into_iter().map(|(sha256,)| sha256).collect();
    let mut new: Vec<&Content> = contents.iter().filter(|(sha256, _)| !existing.contains(&sha256[..])).collect();
    // In one order, so that two that store the same wait for one another and not each for the other.
    new.sort_by_key(|(sha256, _)| *sha256);
    // One by one: where a statement adds several, SQLite reads the tables that refer to them as a whole for each.
    for (sha256, content) in new {
        execute!(tx, INSERT, &sha256[..], content.as_slice())?;
    }
    Ok(())
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

//! Published versions of documents and their files, one for each language. Rows are written once and never changed; the
//! bytes are in [`blobs`](super::blobs).

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A published version.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Version {
        /// `cvr_…`
        pub id: String,
        /// Its document
        pub document_id: String,
        /// The source that it was made of
        pub source_id: String,
        /// The publish that made it
        pub publish_id: String,
        /// When that was
        pub published_at: Timestamp,
    }
}

row! {
    /// A file of a version.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct File {
        /// Its language
        pub language: String,
        /// SHA-256 of its bytes
        pub sha256: [u8; 32],
    }
}

statements! {
    INSERT = "INSERT INTO document_versions (id, document_id, source_id, publish_id, published_at) \
        VALUES ($1, $2, $3, $4, $5)";
    INSERT_FILES = values "INSERT INTO document_version_files (version_id, language, sha256) VALUES"
        each "(?, ?, ?)" then "";
    FIND = "SELECT v.id, v.document_id, v.source_id, v.publish_id, v.published_at FROM document_versions v \
        JOIN documents d ON d.id = v.document_id WHERE v.id = $2 AND d.project_id = $1";
    FILES = "SELECT language, sha256 FROM document_version_files WHERE version_id = $1 ORDER BY language";
}

/// Adds a version with its files, whose contents are stored already.
///
/// # Errors
///
/// [`StoreError::Unique`] when two files have one language.
pub async fn insert(tx: &mut Tx, version: &Version, files: &[File]) -> Result<(), StoreError> {
    execute!(
        tx,
        INSERT,
        &version.id,
        &version.document_id,
        &version.source_id,
        &version.publish_id,
        version.published_at.as_millis(),
    )?;
    let id = version.id.as_str();
    execute_values!(tx, INSERT_FILES, [], files, |file| [id, &file.language, &file.sha256[..]]).map(drop)
}

/// The version `id`, if it is of a document of the project.
///
/// # Errors
///
/// As the store.
pub async fn find(tx: &mut Tx, project_id: &str, id: &str) -> Result<Option<Version>, StoreError> {
    fetch_optional!(tx, Version, FIND, project_id, id)
}

/// The files of a version in the order of their languages.
///
/// # Errors
///
/// As the store.
pub async fn files(tx: &mut Tx, version_id: &str) -> Result<Vec<File>, StoreError> {
    fetch_all!(tx, File, FILES, version_id)
}

//! Published versions of documents and their files, one for each language. Rows are written once and never changed, but for the
//! mark of a version that is being deleted ([`pruning`](super::pruning)): it counts as gone. The bytes are in
//! [`blobs`](super::blobs).

use std::collections::HashMap;

use l10n_api_types::{ProjectId, VersionId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A published version.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct StoredDocumentVersion {
        /// `cvr_…`
        pub id: VersionId,
        /// Its document
        pub document_id: String,
        /// The source that it was made of
        pub source_id: VersionId,
        /// The publish that made it
        pub publish_id: String,
        /// The time of that
        pub published_at: Timestamp,
    }
}

row! {
    /// A file of a version.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LanguageFile {
        /// Its language
        pub language: String,
        /// SHA-256 of its bytes
        pub sha256: [u8; 32],
    }
}

row! {
    /// The hash of a text that was published.
    struct PublishedHash {
        sha256: [u8; 32],
    }
}

/// Published texts that [`published`] returns at most.
const MOST_PUBLISHED: i64 = 100;
/// Versions among which it looks, so that a document with many is no more work than others.
const MOST_VERSIONS: i64 = 1_000;

row! {
    /// A file and the version that it is of.
    struct VersionedFile {
        version_id: VersionId,
        language: String,
        sha256: [u8; 32],
    }
}

statements! {
    INSERT = values "INSERT INTO document_versions (id, document_id, source_id, publish_id, published_at) VALUES"
        each "(?, ?, ?, ?, ?)" then "";
    INSERT_FILES = values "INSERT INTO document_version_files (version_id, language, sha256) VALUES"
        each "(?, ?, ?)" then "";
    FIND = "SELECT v.id, v.document_id, v.source_id, v.publish_id, v.published_at FROM document_versions v \
        JOIN documents d ON d.id = v.document_id WHERE v.id = $2 AND d.project_id = $1 \
        AND d.archived_at IS NULL AND v.pruned_at IS NULL";
    FILES = "SELECT language, sha256 FROM document_version_files WHERE version_id = $1 ORDER BY language";
    FILES_OF_MANY = values "SELECT version_id, language, sha256 FROM document_version_files WHERE version_id IN ("
        each "?" then ") ORDER BY version_id, language";
    PUBLISHED = "SELECT sha256 FROM (SELECT v.id AS version_id, f.sha256 AS sha256 FROM document_versions v \
        JOIN document_version_files f ON f.version_id = v.id WHERE v.document_id = $1 AND f.language = $2 \
        ORDER BY v.id DESC LIMIT $3) newest GROUP BY sha256 ORDER BY MAX(version_id) DESC LIMIT $4";
}

/// Adds versions with their files, whose contents are stored already.
///
/// # Errors
///
/// [`StoreError::Unique`] when two files of a version have one language.
pub async fn insert(tx: &mut Tx, versions: &[(StoredDocumentVersion, Vec<LanguageFile>)]) -> Result<(), StoreError> {
    execute_values!(tx, INSERT, [], versions, |(version, _)| [
        version.id.as_str(),
        &version.document_id,
        version.source_id.as_str(),
        &version.publish_id,
        version.published_at.as_millis(),
    ])?;
    let files = versions.iter().flat_map(|(version, files)| files.iter().map(|file| (version.id.as_str(), file)));
    let files: Vec<(&str, &LanguageFile)> = files.collect();
    execute_values!(tx, INSERT_FILES, [], files, |(version_id, file)| [*version_id, &file.language, &file.sha256[..]])
        .map(drop)
}

/// The version `id`, if it is of a document of the project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, id: &VersionId) -> Result<Option<StoredDocumentVersion>, StoreError> {
    fetch_optional!(tx, StoredDocumentVersion, FIND, project_id.as_str(), id.as_str())
}

/// The files of a version in the order of their languages.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn files(tx: &mut Tx, version_id: &VersionId) -> Result<Vec<LanguageFile>, StoreError> {
    fetch_all!(tx, LanguageFile, FILES, version_id.as_str())
}

/// The files of some versions, by version, in the order of their languages.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn files_of_many(tx: &mut Tx, version_ids: &[VersionId]) -> Result<HashMap<VersionId, Vec<LanguageFile>>, StoreError> {
    let found = fetch_values!(tx, VersionedFile, FILES_OF_MANY, [], version_ids, |id| [id.as_str()])?;
    let mut files: HashMap<VersionId, Vec<LanguageFile>> = HashMap::new();
    for VersionedFile { version_id, language, sha256 } in found {
        files.entry(version_id).or_default().push(LanguageFile { language, sha256 });
    }
    Ok(files)
}

/// The hashes of a document's published texts in a language: each once, the newest first, at most 100.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn published(tx: &mut Tx, document_id: &str, language: &str) -> Result<Vec<[u8; 32]>, StoreError> {
    let found = fetch_all!(tx, PublishedHash, PUBLISHED, document_id, language, MOST_VERSIONS, MOST_PUBLISHED)?;
    Ok(found.into_iter().map(|published| published.sha256).collect())
}

//! Files of versions: which content lies at which path. The bytes are in [`blobs`](super::blobs).

use l10n_api_types::{FormatId, ProjectId, VersionId};

use super::{StoreError, Tx};

row! {
    /// A file of a version.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct VersionFile {
        /// Its relative path
        pub path: String,
        /// Its language
        pub language: String,
        /// The namespace of its keys, if they have one
        pub namespace: Option<String>,
        /// Its format
        pub format: FormatId,
        /// True if it holds the source and every translation
        pub holds_all_languages: bool,
        /// SHA-256 of its bytes
        pub sha256: [u8; 32],
        /// Its size
        pub bytes: i64,
    }
}

row! {
    /// A file without its bytes, which is enough for a conditional request.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct VersionFileHead {
        /// Its format
        pub format: FormatId,
        /// SHA-256 of its bytes
        pub sha256: [u8; 32],
        /// Their number
        pub bytes: i64,
    }
}

statements! {
    INSERT = values "INSERT INTO version_files (version_id, position, path, language, namespace, format, holds_all_languages, sha256, bytes) \
        VALUES"
        each "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
        then "";
    LIST = "SELECT path, language, namespace, format, holds_all_languages, sha256, bytes FROM version_files \
        WHERE version_id = $1 ORDER BY position";
    PAGE = "SELECT path, language, namespace, format, holds_all_languages, sha256, bytes FROM version_files \
        WHERE version_id = $1 AND path > $2 ORDER BY path LIMIT $3";
    COUNT = "SELECT COUNT(*) FROM version_files WHERE version_id = $1";
    HEAD = "SELECT f.format, f.sha256, f.bytes FROM version_files f JOIN versions v ON v.id = f.version_id \
        WHERE f.version_id = $2 AND f.path = $3 AND v.project_id = $1 AND v.pruned_at IS NULL";
}

/// Adds the files of a version, in their order. Their contents are stored already.
///
/// # Errors
///
/// [`StoreError::Unique`] when two have one path.
pub async fn insert(tx: &mut Tx, version_id: &VersionId, files: &[VersionFile]) -> Result<(), StoreError> {
    let rows: Vec<(i64, &VersionFile)> = (0i64..).zip(files).collect();
    execute_values!(tx, INSERT, [], rows, |(position, file)| [
        version_id.as_str(),
        position,
        &file.path,
        &file.language,
        &file.namespace,
        file.format.as_str(),
        file.holds_all_languages,
        &file.sha256[..],
        file.bytes,
    ])
    .map(drop)
}

/// Every file of a version, in its order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, version_id: &VersionId) -> Result<Vec<VersionFile>, StoreError> {
    fetch_all!(tx, VersionFile, LIST, version_id.as_str())
}

/// Files of a version after a path, by path, `most` at most.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(tx: &mut Tx, version_id: &VersionId, after: &str, most: i64) -> Result<Vec<VersionFile>, StoreError> {
    fetch_all!(tx, VersionFile, PAGE, version_id.as_str(), after, most)
}

/// The number of a version's files.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, version_id: &VersionId) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT, version_id.as_str())?;
    Ok(count)
}

/// The file at a path of a version of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn head(tx: &mut Tx, project_id: &ProjectId, version_id: &VersionId, path: &str) -> Result<Option<VersionFileHead>, StoreError> {
    fetch_optional!(tx, VersionFileHead, HEAD, project_id.as_str(), version_id.as_str(), path)
}

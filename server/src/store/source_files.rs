//! Source files: what was synced last from each path, the skeleton for rendering.

use l10n_api_types::{FormatId, ProjectId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A file with its bytes.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SourceFile {
        /// Its path in the code
        pub path: String,
        /// Its format
        pub format: String,
        /// The namespace of its keys
        pub namespace: Option<String>,
        /// Its bytes
        pub content: Vec<u8>,
        /// The time of its last sync
        pub synced_at: Timestamp,
    }
}

row! {
    /// A file without its bytes.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SourceFileHead {
        /// Its path in the code
        pub path: String,
        /// Its format
        pub format: FormatId,
        /// The namespace of its keys
        pub namespace: Option<String>,
        /// True if it holds the source and every translation
        pub holds_all_languages: bool,
    }
}

row! {
    /// A file as a publish follows it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Skeleton {
        /// Its path in the code
        pub path: String,
        /// Its format
        pub format: FormatId,
        /// The namespace of its keys
        pub namespace: Option<String>,
        /// True if it holds the source and every translation
        pub holds_all_languages: bool,
        /// Its bytes, where [`content`] need not be asked for them
        pub content: Option<Vec<u8>>,
    }
}

/// Most bytes of a file that [`skeletons`] reads with it.
const FEW_BYTES: i64 = 16 * 1024;

/// Most files of a project whose bytes [`skeletons`] reads.
const FEW_FILES: i64 = 64;

statements! {
    HEADS = "SELECT path, format, namespace, holds_all_languages FROM source_files WHERE project_id = $1 ORDER BY path";
    SKELETONS = "SELECT path, format, namespace, holds_all_languages, CASE WHEN LENGTH(content) <= $2 \
        AND (SELECT COUNT(*) FROM source_files WHERE project_id = $1) <= $3 THEN content END AS content \
        FROM source_files WHERE project_id = $1 ORDER BY path";
    CONTENT = "SELECT content FROM source_files WHERE project_id = $1 AND path = $2";
    UPSERT = "INSERT INTO source_files (project_id, path, format, namespace, holds_all_languages, content, sha256, synced_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (project_id, path) DO UPDATE SET format = excluded.format, \
        namespace = excluded.namespace, holds_all_languages = excluded.holds_all_languages, content = excluded.content, \
        sha256 = excluded.sha256, synced_at = excluded.synced_at";
    STAMP = "UPDATE source_files SET format = $3, namespace = $4, holds_all_languages = $5, synced_at = $6 \
        WHERE project_id = $1 AND path = $2 AND sha256 = $7";
    KEPT = "SELECT format, namespace, holds_all_languages, sha256 FROM source_files WHERE project_id = $1 AND path = $2";
    LIST = "SELECT path, format, namespace, content, synced_at FROM source_files WHERE project_id = $1 ORDER BY path";
}

/// A file to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewSourceFile<'a> {
    /// Its path in the code
    pub path: &'a str,
    /// Its format
    pub format: &'a str,
    /// The namespace of its keys
    pub namespace: Option<&'a str>,
    /// True if it holds the source and every translation
    pub holds_all_languages: bool,
    /// Its bytes
    pub content: &'a [u8],
    /// SHA-256 of its bytes
    pub sha256: [u8; 32],
    /// Now
    pub synced_at: Timestamp,
}

/// Keeps a file. Bytes that are there already are not written again.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn keep(tx: &mut Tx, project_id: &ProjectId, file: NewSourceFile<'_>) -> Result<(), StoreError> {
    let (id, at, sha256) = (project_id.as_str(), file.synced_at.as_millis(), &file.sha256[..]);
    let (path, format, namespace, holds_all) = (file.path, file.format, file.namespace, file.holds_all_languages);
    if execute!(tx, STAMP, id, path, format, namespace, holds_all, at, sha256)? == 1 {
        return Ok(());
    }
    execute!(tx, UPSERT, id, path, format, namespace, holds_all, file.content, sha256, at).map(drop)
}

/// Returns whether the file is kept as it is: to [`keep`] it changes nothing but the time of its last sync.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_kept(tx: &mut Tx, project_id: &ProjectId, file: &NewSourceFile<'_>) -> Result<bool, StoreError> {
    let kept = fetch_optional!(tx, (String, Option<String>, bool, Vec<u8>), KEPT, project_id.as_str(), file.path)?;
    Ok(kept.is_some_and(|(format, namespace, holds_all, sha256)| {
        (format.as_str(), namespace.as_deref(), holds_all, &sha256[..])
            == (file.format, file.namespace, file.holds_all_languages, &file.sha256[..])
    }))
}

/// Every synced file of a project with its bytes, in the order of the paths.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<SourceFile>, StoreError> {
    fetch_all!(tx, SourceFile, LIST, project_id.as_str())
}

/// Every synced file of a project without its bytes, in the order of the paths.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn heads(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<SourceFileHead>, StoreError> {
    fetch_all!(tx, SourceFileHead, HEADS, project_id.as_str())
}

/// Every synced file of a project in the order of the paths, small ones with their bytes where there are few files.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn skeletons(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<Skeleton>, StoreError> {
    fetch_all!(tx, Skeleton, SKELETONS, project_id.as_str(), FEW_BYTES, FEW_FILES)
}

/// The bytes of a synced file.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such file.
pub async fn content(tx: &mut Tx, project_id: &ProjectId, path: &str) -> Result<Vec<u8>, StoreError> {
    let (content,) = fetch_one!(tx, (Vec<u8>,), CONTENT, project_id.as_str(), path)?;
    Ok(content)
}

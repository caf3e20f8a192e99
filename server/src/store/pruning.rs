//! Deleting versions that are not live, where the operator has asked for it. One with many files goes a batch at a time: the
//! first batch marks it, and from then on nobody finds it, so that no version becomes live that has lost files.

use l10n_api_types::{ProjectId, VersionId};

use super::row::listed;
use super::{StoreError, Tx, purge};
use crate::clock::Timestamp;

row! {
    /// A version that may be old enough, of keys or of a document.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExpiredVersion {
        /// Its project
        pub project_id: ProjectId,
        /// Its id
        pub id: VersionId,
    }
}

/// The oldest version that is not live, of projects that are none of a list.
macro_rules! old {
    ($is_asked:literal) => {
        concat!(
            "SELECT v.project_id, v.id FROM versions v JOIN projects p ON p.id = v.project_id \
            WHERE v.published_at < $1 AND ",
            $is_asked,
            " AND (p.live_version_id IS NULL OR p.live_version_id <> v.id) ORDER BY v.published_at, v.id LIMIT 1"
        )
    };
}

/// The same of documents.
macro_rules! old_of_documents {
    ($is_asked:literal) => {
        concat!(
            "SELECT d.project_id, v.id FROM document_versions v JOIN documents d ON d.id = v.document_id \
            WHERE v.published_at < $1 AND ",
            $is_asked,
            " AND (d.live_version_id IS NULL OR d.live_version_id <> v.id) ORDER BY v.published_at, v.id LIMIT 1"
        )
    };
}

statements! {
    OLD = sqlite old!("p.id NOT IN (SELECT value FROM json_each($2))"),
        postgres old!("p.id <> ALL (CAST(translate($2, '[]', '{}') AS TEXT[]))");
    OLD_OF_DOCUMENTS = sqlite old_of_documents!("d.project_id NOT IN (SELECT value FROM json_each($2))"),
        postgres old_of_documents!("d.project_id <> ALL (CAST(translate($2, '[]', '{}') AS TEXT[]))");
    FILES = "DELETE FROM version_files WHERE (version_id, path) IN (SELECT f.version_id, f.path FROM version_files f \
        JOIN versions v ON v.id = f.version_id JOIN projects p ON p.id = v.project_id \
        WHERE v.id = $1 AND (p.live_version_id IS NULL OR p.live_version_id <> v.id) ORDER BY f.path LIMIT $2) RETURNING sha256";
    VERSION = "DELETE FROM versions WHERE id = $1 \
        AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.live_version_id = versions.id) \
        AND NOT EXISTS (SELECT 1 FROM version_files f WHERE f.version_id = versions.id)";
    MARK = "UPDATE versions SET pruned_at = $2 WHERE id = $1 AND pruned_at IS NULL \
        AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.live_version_id = versions.id)";
    FILES_OF_DOCUMENT = "DELETE FROM document_version_files WHERE (version_id, language) IN \
        (SELECT f.version_id, f.language FROM document_version_files f JOIN document_versions v ON v.id = f.version_id \
        JOIN documents d ON d.id = v.document_id \
        WHERE v.id = $1 AND (d.live_version_id IS NULL OR d.live_version_id <> v.id) ORDER BY f.language LIMIT $2) \
        RETURNING sha256";
    SOURCE = "UPDATE document_sources SET superseded_at = $2 WHERE id = $1 \
        AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.source_id = document_sources.id AND d.id = document_sources.document_id)";
    DOCUMENT_VERSION = "DELETE FROM document_versions WHERE id = $1 \
        AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = document_versions.document_id \
            AND d.live_version_id = document_versions.id) \
        AND NOT EXISTS (SELECT 1 FROM document_version_files f WHERE f.version_id = document_versions.id) RETURNING source_id";
    MARK_OF_DOCUMENT = "UPDATE document_versions SET pruned_at = $2 WHERE id = $1 AND pruned_at IS NULL \
        AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = document_versions.document_id \
            AND d.live_version_id = document_versions.id)";
}

/// The oldest version of keys from before a time that is not live, save those of some projects.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn oldest(
    tx: &mut Tx,
    before: Timestamp,
    except: &[ProjectId],
) -> Result<Option<ExpiredVersion>, StoreError> {
    fetch_optional!(tx, ExpiredVersion, OLD, before.as_millis(), listed(except.iter().map(ProjectId::as_str)))
}

/// The same of documents.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn oldest_of_documents(
    tx: &mut Tx,
    before: Timestamp,
    except: &[ProjectId],
) -> Result<Option<ExpiredVersion>, StoreError> {
    fetch_optional!(tx, ExpiredVersion, OLD_OF_DOCUMENTS, before.as_millis(), listed(except.iter().map(ProjectId::as_str)))
}

/// Deletes files of a version, at most `most`. If it has no more of them, it goes, too; else it is marked. Nothing happens to
/// one that is live by now. Lock its project before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, id: &VersionId, most: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.moves_live();
    purge::files(tx, FILES, id.as_str(), most, now).await?;
    if execute!(tx, VERSION, id.as_str())? == 0 {
        execute!(tx, MARK, id.as_str(), now.as_millis())?;
    }
    Ok(())
}

/// The same of a document. Its source goes when the retention of replaced ones is over.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_of_document(tx: &mut Tx, id: &VersionId, most: i64, now: Timestamp) -> Result<(), StoreError> {
    purge::files(tx, FILES_OF_DOCUMENT, id.as_str(), most, now).await?;
    match fetch_optional!(tx, (String,), DOCUMENT_VERSION, id.as_str())? {
        Some((source,)) => execute!(tx, SOURCE, source, now.as_millis()),
        None => execute!(tx, MARK_OF_DOCUMENT, id.as_str(), now.as_millis()),
    }
    .map(drop)
}

//! Public delivery: the manifest of the live version, and the files of any published one. Nothing else can be read here:
//! all of it comes from rows that a publish wrote.

use bytes::Bytes;
use l10n_api_types::delivery::{LIVE, ManifestBody};
use l10n_api_types::{FormatId, ProjectId, VersionId};

use super::ServiceError;
use crate::delivery::blob_cache::BlobKey;
use crate::delivery::coding::Coding;
use crate::delivery::{at_rest, manifest, paths};
use crate::service::Service;
use crate::store::blobs::{self, Blob, BlobCoding, Hash};
use crate::store::projects::Project;
use crate::store::{Tx, projects, version_files, versions};

/// The project of a public request, as the request names it.
#[derive(Debug, Clone)]
pub(crate) enum ProjectAddress {
    /// `/projects/{projectId}/…`
    Id(ProjectId),
    /// `/@{handle}/{slug}/…`
    Names {
        /// Handle of the workspace.
        handle: String,
        /// Slug of the project.
        slug: String,
    },
}

impl ProjectAddress {
    async fn project(&self, tx: &mut Tx) -> Result<Project, ServiceError> {
        let found = match self {
            Self::Id(id) => projects::find(tx, id.as_str()).await?,
            Self::Names { handle, slug } => projects::find_by_handle_and_slug(tx, handle, slug).await?,
        };
        found.filter(|project| project.archived_at.is_none()).ok_or_else(no_such_project)
    }

    /// The address in the same form, so that a reader stays in the request window that it began in (§8).
    fn url(&self, service: &Service) -> String {
        let base = &service.settings.base_url;
        match self {
            Self::Id(id) => format!("{base}/projects/{id}"),
            Self::Names { handle, slug } => format!("{base}/@{handle}/{slug}"),
        }
    }
}

/// The refusal of an address that leads to no project.
#[must_use]
pub(crate) fn no_such_project() -> ServiceError {
    ServiceError::NotFound("there is no such project".into())
}

/// The manifest of the live version.
///
/// # Errors
///
/// 404 when there is no such project, or when it has not been published.
pub(crate) async fn live_manifest(
    tx: &mut Tx,
    service: &Service,
    addressed: &ProjectAddress,
) -> Result<ManifestBody, ServiceError> {
    let project = addressed.project(tx).await?;
    let live = project.live_version_id.ok_or(ServiceError::NotPublished)?;
    let version = versions::find(tx, &project.id, &live).await?.ok_or(ServiceError::NotPublished)?;
    let files = version_files::list(tx, &version.id).await?;
    Ok(manifest::manifest(version, files, &addressed.url(service)))
}

/// A published file, found but not read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct File {
    /// Its format.
    pub format: FormatId,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
}

/// Finds the file at a path of a version, or of the live one.
///
/// # Errors
///
/// 404 when there is no such project, version or file, or when the project has not been published.
pub(crate) async fn find(
    tx: &mut Tx,
    addressed: &ProjectAddress,
    version: &VersionId,
    path: &str,
) -> Result<File, ServiceError> {
    let no_file = || ServiceError::NotFound("the version has no file at this path".into());
    if !paths::is_plain(path) {
        return Err(no_file());
    }
    // By ids a file that is there takes one query; why it is not there is asked afterwards.
    if let (ProjectAddress::Id(id), false) = (addressed, version.as_str() == LIVE)
        && let Some(head) = version_files::head(tx, id.as_str(), version.as_str(), path).await?
    {
        return Ok(File { format: head.format, sha256: head.sha256 });
    }
    let project = addressed.project(tx).await?;
    let version_id = match version.as_str() {
        LIVE => project.live_version_id.ok_or(ServiceError::NotPublished)?,
        id => id.to_owned(),
    };
    if let Some(head) = version_files::head(tx, &project.id, &version_id, path).await? {
        return Ok(File { format: head.format, sha256: head.sha256 });
    }
    match versions::find(tx, &project.id, &version_id).await? {
        Some(_) => Err(no_file()),
        None => Err(ServiceError::VersionNotFound(version_id)),
    }
}

/// The bytes of a file, in the form in which they are sent.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// The bytes.
    pub bytes: Bytes,
    /// The content coding of the bytes.
    pub coding: Option<Coding>,
}

/// Below this the headers are most of an answer, and no coded form is kept.
const WORTH_KEEPING: usize = 1024;

/// The bytes of a file that was found: from memory, else from the datastore. In the coding where a coded form is kept, plain
/// where not.
pub(crate) async fn content(
    mut tx: Tx,
    service: &Service,
    file: File,
    coding: Option<Coding>,
) -> Result<Content, ServiceError> {
    let contents = &service.contents;
    let key = |coding| BlobKey { sha256: file.sha256, coding };
    if coding.is_some()
        && let Some(bytes) = contents.held(&key(coding))
    {
        return Ok(Content { bytes, coding });
    }
    // The transaction goes with the read: nothing waits for a coding with a connection in its hand.
    let read = async move { blobs::read(&mut tx, &file.sha256).await };
    let plain = if coding == Some(Coding::Gzip) && contents.keeps() && contents.held(&key(None)).is_none() {
        // Sent as it is stored, where it is stored so.
        let coded = async {
            let stored = read.await.map_err(|error| Err(error.into()))?;
            if stored.coding == Some(BlobCoding::Gzip) { Ok(stored.content) } else { Err(Ok(stored)) }
        };
        let stored: Result<Blob, ServiceError> = match contents.get(key(coding), coded).await {
            Ok(bytes) => return Ok(Content { bytes, coding }),
            Err(other) => other,
        };
        contents.get(key(None), plain(stored?)).await?
    } else {
        contents.get(key(None), async { plain(read.await?).await }).await?
    };
    let Some(asked) = coding.filter(|_| contents.keeps() && plain.len() >= WORTH_KEEPING) else {
        return Ok(Content { bytes: plain, coding: None });
    };
    let compress = async {
        let compressed = tokio::task::spawn_blocking(move || asked.compress(&plain)).await;
        compressed.map_err(ServiceError::internal)?.map_err(ServiceError::internal)
    };
    Ok(Content { bytes: contents.get(key(coding), compress).await?, coding })
}

/// The plain bytes of a content that a version names.
pub(super) async fn read_plain(tx: &mut Tx, sha256: &Hash) -> Result<Vec<u8>, ServiceError> {
    plain(blobs::read(tx, sha256).await?).await
}

/// Expands away from the threads that serve requests: a file may have megabytes.
async fn plain(stored: Blob) -> Result<Vec<u8>, ServiceError> {
    if stored.coding.is_none() {
        return Ok(stored.content);
    }
    let expanded = tokio::task::spawn_blocking(move || at_rest::plain(stored)).await;
    expanded.map_err(ServiceError::internal)?.map_err(ServiceError::internal)
}

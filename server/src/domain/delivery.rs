//! Public delivery: the manifest of the live version, and the files of any published one. Nothing else can be read here:
//! all of it comes from rows that a publish wrote.
//!
//! Memory answers without the datastore, but for a look at the generations now and then
//! ([`published`](crate::delivery::published)). Futures that ask the datastore are boxed, so that the future of a read that
//! does not is small.

mod contents;

use std::sync::Arc;
use std::time::Instant;

use l10n_api_types::delivery::LIVE;
use l10n_api_types::{FormatId, ProjectId, VersionId};
use sha2::{Digest as _, Sha256};

pub(crate) use self::contents::FileContent;
use self::contents::{UnreadContent, coded, content, held};
pub(super) use self::contents::{plain, read_plain};
use super::ServiceError;
use crate::delivery::blob_cache::{BlobCache, BlobKey};
use crate::delivery::coding::Coding;
use crate::delivery::etag::EntityTag;
pub(crate) use crate::delivery::paths::ProjectAddress;
use crate::delivery::places::FilePlace;
use crate::delivery::published::{FoundFile, KnownGenerations, PublishedIndex};
use crate::delivery::{manifest, paths};
use crate::store::blobs::Hash;
use crate::store::live_generations::{self, LiveProject};
use crate::store::{Store, StoreError, Tx, version_files, versions};

/// The parts of the server that public reads use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadParts<'a> {
    /// The datastore.
    pub store: &'a Store,
    /// Contents of published files in memory.
    pub contents: &'a BlobCache,
    /// Published versions in memory.
    pub published: &'a PublishedIndex,
    /// The URL under which clients reach the API.
    pub base_url: &'a str,
}

fn no_such_file() -> ServiceError {
    ServiceError::NotFound("the version has no file at this path".into())
}

/// A published file or manifest, with its bytes unless the client has them.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    /// The file.
    pub file: FoundFile,
    /// Its entity tag, which says whether the client has the bytes.
    pub tag: EntityTag,
    /// Its bytes; `None` where the client has them.
    pub content: Option<FileContent>,
}

/// The manifest of the live version, in the coding where that is worth it, plain where not. `tag` makes its tag of the
/// hash.
///
/// # Errors
///
/// 404 when there is no such project, or when it has not been published; the store's.
pub(crate) async fn manifest(
    parts: ReadParts<'_>,
    addressed: &ProjectAddress,
    coding: Option<Coding>,
    tag: impl Fn(&Hash) -> EntityTag,
) -> Result<Read, ServiceError> {
    let mut lookup = Lookup::begin(parts).await?;
    let project = lookup.project(addressed).await?;
    let version = project.live_version_id.as_ref().ok_or(ServiceError::NotPublished)?;
    let place = FilePlace::Manifest(version, addressed);
    let (file, body) = match lookup.remembered(place, &project) {
        Some(file) => (file, None),
        None => {
            let body = Box::pin(lookup.manifest(&project, version, addressed)).await?;
            let sha256 = Sha256::digest(&body).into();
            let file = FoundFile { format: FormatId::Json, sha256, bytes: body.len() };
            lookup.remember(place, &project, file);
            (file, Some(body))
        }
    };
    let tag = tag(&file.sha256);
    if tag.is_held {
        return Ok(Read { file, tag, content: None });
    }
    // No connection waits for a coding.
    drop(lookup);
    if let Some(content) = held(parts, &file, coding) {
        return Ok(Read { file, tag, content: Some(content) });
    }
    let load = async {
        let body = async {
            match body {
                Some(body) => Ok(body),
                None => Lookup::begin(parts).await?.manifest(&project, version, addressed).await,
            }
        };
        let plain =
            parts.contents.get(&project.id, BlobKey { sha256: file.sha256, coding: None }, file.bytes, body).await?;
        coded(parts, (&project.id, &file), coding, plain).await
    };
    Ok(Read { file, tag, content: Some(Box::pin(load).await?) })
}

/// The file at a path of a version, or of the live one, in the coding where that is worth it, plain where not. `tag` makes
/// its tag of the hash.
///
/// # Errors
///
/// 404 when there is no such project, version or file, or when the project has not been published; the store's.
pub(crate) async fn bundle(
    parts: ReadParts<'_>,
    addressed: &ProjectAddress,
    version: &VersionId,
    path: &str,
    coding: Option<Coding>,
    tag: impl Fn(&Hash) -> EntityTag,
) -> Result<Read, ServiceError> {
    // A version may be deleted between the look at its row and the read of the content; the row is then gone, too.
    for _ in 0..LOOKS {
        let mut lookup = Lookup::begin(parts).await?;
        let (project, file) = lookup.file(addressed, version, path).await?;
        let tag = tag(&file.sha256);
        if tag.is_held {
            return Ok(Read { file, tag, content: None });
        }
        // No connection waits for a coding.
        drop(lookup);
        match content(parts, (&project.id, &file), coding).await {
            Ok(content) => return Ok(Read { file, tag, content: Some(content) }),
            Err(UnreadContent::Gone) => {
                parts.published.forget_file(FilePlace::Path(named_version(&project, version)?, path));
            }
            Err(UnreadContent::Failed(error)) => return Err(error),
        }
    }
    Err(ServiceError::internal("the content of a published file is missing"))
}

/// The version that a request names, which may be the live one.
fn named_version<'a>(project: &'a LiveProject, version: &'a VersionId) -> Result<&'a VersionId, ServiceError> {
    match version.as_str() {
        LIVE => project.live_version_id.as_ref().ok_or(ServiceError::NotPublished),
        _ => Ok(version),
    }
}

/// The look-ups of a read: in memory, else in one transaction that begins with the first question to the datastore.
struct Lookup<'a> {
    parts: ReadParts<'a>,
    /// `None` where nothing is remembered.
    known: Option<Arc<KnownGenerations>>,
    tx: Option<Tx>,
}

impl<'a> Lookup<'a> {
    async fn begin(parts: ReadParts<'a>) -> Result<Self, ServiceError> {
        let look = async || parts.store.read_once(async |tx| live_generations::all(tx).await).await;
        let known = parts.published.known(parts.store.live_moves(), Instant::now, look).await?;
        Ok(Self { parts, known, tx: None })
    }

    async fn tx(&mut self) -> Result<&mut Tx, StoreError> {
        let tx = match self.tx.take() {
            Some(tx) => tx,
            None => self.parts.store.begin_read().await?,
        };
        Ok(self.tx.insert(tx))
    }

    async fn project(&mut self, addressed: &ProjectAddress) -> Result<Arc<LiveProject>, ServiceError> {
        if let Some(known) = &self.known
            && let Some(project) = self.parts.published.project(addressed).filter(|project| known.confirms(project))
        {
            return Ok(project);
        }
        let project = Arc::new(Box::pin(self.read_project(addressed)).await?);
        self.parts.published.remember_project(addressed.clone(), Arc::clone(&project));
        Ok(project)
    }

    async fn read_project(&mut self, addressed: &ProjectAddress) -> Result<LiveProject, ServiceError> {
        let tx = self.tx().await?;
        let found = match addressed {
            ProjectAddress::Id(id) => live_generations::project(tx, id).await?,
            ProjectAddress::Names { handle, slug } => live_generations::named(tx, handle, slug).await?,
        };
        found.filter(|project| project.archived_at.is_none()).ok_or_else(ServiceError::no_such_project)
    }

    fn remembered(&self, place: FilePlace<'_>, project: &LiveProject) -> Option<FoundFile> {
        self.parts.published.file(place, project, self.known.as_deref()?)
    }

    fn remember(&self, place: FilePlace<'_>, project: &LiveProject, file: FoundFile) {
        if let Some(known) = &self.known {
            self.parts.published.remember_file(place, project, known, file);
        }
    }

    /// The project and its file.
    async fn file(
        &mut self,
        addressed: &ProjectAddress,
        version: &VersionId,
        path: &str,
    ) -> Result<(Arc<LiveProject>, FoundFile), ServiceError> {
        if !paths::is_plain(path) {
            return Err(no_such_file());
        }
        let project = self.project(addressed).await?;
        let version = named_version(&project, version)?;
        let place = FilePlace::Path(version, path);
        let file = match self.remembered(place, &project) {
            Some(file) => file,
            None => {
                let file = Box::pin(self.read_file(&project.id, version, path)).await?;
                self.remember(place, &project, file);
                file
            }
        };
        Ok((project, file))
    }

    async fn read_file(
        &mut self,
        project_id: &ProjectId,
        version: &VersionId,
        path: &str,
    ) -> Result<FoundFile, ServiceError> {
        let tx = self.tx().await?;
        if let Some(head) = version_files::head(tx, project_id, version, path).await? {
            let bytes = usize::try_from(head.bytes).unwrap_or_default();
            return Ok(FoundFile { format: head.format, sha256: head.sha256, bytes });
        }
        match versions::find(tx, project_id, version).await? {
            Some(_) => Err(no_such_file()),
            None => Err(ServiceError::VersionNotFound(version.clone())),
        }
    }

    /// The body of a version's manifest, under the project's address.
    async fn manifest(
        &mut self,
        project: &LiveProject,
        version: &VersionId,
        addressed: &ProjectAddress,
    ) -> Result<Vec<u8>, ServiceError> {
        let url = format!("{}{}", self.parts.base_url, addressed.path());
        let tx = self.tx().await?;
        let version = versions::find(tx, &project.id, version).await?.ok_or(ServiceError::NotPublished)?;
        let files = version_files::list(tx, &version.id).await?;
        serde_json::to_vec(&manifest::manifest(version, files, &url)).map_err(ServiceError::internal)
    }
}

/// Looks for a file before its content counts as lost.
const LOOKS: usize = 3;

//! The contents of published files: from memory, else from the datastore.

use bytes::Bytes;
use l10n_api_types::ProjectId;

use super::ReadParts;
use crate::delivery::at_rest;
use crate::delivery::blob_cache::{BlobKey, CacheFull};
use crate::delivery::coding::Coding;
use crate::delivery::published::FoundFile;
use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::blobs::{self, Blob, BlobCoding, Hash};

/// The bytes of a file, in the form in which they are sent.
#[derive(Debug, Clone)]
pub(crate) struct FileContent {
    /// The bytes.
    pub bytes: Bytes,
    /// The content coding of the bytes.
    pub coding: Option<Coding>,
}

/// Below this the headers are most of an answer, which is sent plain.
const WORTH_CODING: usize = 256;

/// A content that cannot be read.
pub(super) enum UnreadContent {
    /// It is not there any more.
    Gone,
    Failed(ServiceError),
}

impl<E: Into<ServiceError>> From<E> for UnreadContent {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<CacheFull> for ServiceError {
    fn from(CacheFull: CacheFull) -> Self {
        let text = "too many other files are still being sent to slow clients: request this one again in a moment";
        Self::Busy(text.to_owned())
    }
}

/// The reason why a content is not sent in a coding.
enum NotCoded {
    CacheFull,
    Failed(ServiceError),
}

impl From<CacheFull> for NotCoded {
    fn from(CacheFull: CacheFull) -> Self {
        Self::CacheFull
    }
}

impl From<ServiceError> for NotCoded {
    fn from(error: ServiceError) -> Self {
        Self::Failed(error)
    }
}

/// The reason why a content is not sent as it is stored.
enum NotAsStored {
    /// It is stored in no coding.
    IsPlain,
    Unread(UnreadContent),
}

impl<E: Into<UnreadContent>> From<E> for NotAsStored {
    fn from(error: E) -> Self {
        Self::Unread(error.into())
    }
}

/// The coded form of a content, or its plain one where none is asked for, if it is in memory.
pub(super) fn held(parts: ReadParts<'_>, file: &FoundFile, coding: Option<Coding>) -> Option<FileContent> {
    let bytes = parts.contents.held(&BlobKey { sha256: file.sha256, coding })?;
    Some(FileContent { bytes, coding })
}

/// The bytes of a file that was found: from memory, else from the datastore.
pub(super) async fn content(
    parts: ReadParts<'_>,
    (project, file): (&ProjectId, &FoundFile),
    coding: Option<Coding>,
) -> Result<FileContent, UnreadContent> {
    match held(parts, file, coding) {
        Some(content) => Ok(content),
        None => Box::pin(loaded(parts, (project, file), coding)).await,
    }
}

async fn loaded(
    parts: ReadParts<'_>,
    (project, file): (&ProjectId, &FoundFile),
    coding: Option<Coding>,
) -> Result<FileContent, UnreadContent> {
    let contents = parts.contents;
    let key = |coding| BlobKey { sha256: file.sha256, coding };
    // The transaction goes with the read: nothing waits for a coding with a connection in its hand.
    let read = async || {
        let mut tx = parts.store.begin_read().await?;
        blobs::find(&mut tx, &file.sha256).await?.ok_or(UnreadContent::Gone)
    };
    let may_be_coded = coding == Some(Coding::Gzip) && file.bytes >= at_rest::WORTH_COMPRESSING;
    if may_be_coded && contents.held(&key(None)).is_none() {
        // Sent as it is stored, where it is stored so.
        let stored = async {
            let stored: Blob = read().await?;
            if stored.coding == Some(BlobCoding::Gzip) { Ok(stored.content) } else { Err(NotAsStored::IsPlain) }
        };
        match contents.get(project, key(coding), file.bytes, stored).await {
            Ok(bytes) => return Ok(FileContent { bytes, coding }),
            Err(NotAsStored::Unread(unread)) => return Err(unread),
            // It is read again, once there is room for its plain form.
            Err(NotAsStored::IsPlain) => {}
        }
    }
    let plain = async { Ok::<_, UnreadContent>(plain(read().await?).await?) };
    let plain = contents.get(project, key(None), file.bytes, plain).await?;
    Ok(coded(parts, (project, file), coding, plain).await?)
}

/// The content in a coding, where that is worth it, and where there is room for both forms.
pub(super) async fn coded(
    parts: ReadParts<'_>,
    (project, file): (&ProjectId, &FoundFile),
    coding: Option<Coding>,
    plain: Bytes,
) -> Result<FileContent, ServiceError> {
    let contents = parts.contents;
    let Some(asked) = coding.filter(|_| plain.len() >= WORTH_CODING) else {
        return Ok(FileContent { bytes: plain, coding: None });
    };
    let (most, uncoded) = (plain.len(), plain.clone());
    let compress = async {
        let compressed = tokio::task::spawn_blocking(move || asked.compress(&uncoded)).await;
        compressed.map_err(ServiceError::internal)?.map_err(|error| NotCoded::Failed(ServiceError::internal(error)))
    };
    match contents.get(project, BlobKey { sha256: file.sha256, coding }, most, compress).await {
        Ok(bytes) => Ok(FileContent { bytes, coding }),
        Err(NotCoded::CacheFull) => Ok(FileContent { bytes: plain, coding: None }),
        Err(NotCoded::Failed(error)) => Err(error),
    }
}

/// The plain bytes of a content that a version names.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(in crate::domain) async fn read_plain(tx: &mut Tx, sha256: &Hash) -> Result<Vec<u8>, ServiceError> {
    plain(blobs::read(tx, sha256).await?).await
}

/// The plain bytes of a stored content, expanded away from the threads that serve requests: a file may have megabytes.
///
/// # Errors
///
/// Returns an error if the stored bytes are damaged.
pub(in crate::domain) async fn plain(stored: Blob) -> Result<Vec<u8>, ServiceError> {
    if stored.coding.is_none() {
        return Ok(stored.content);
    }
    let expanded = tokio::task::spawn_blocking(move || at_rest::plain(stored)).await;
    expanded.map_err(ServiceError::internal)?.map_err(ServiceError::internal)
}

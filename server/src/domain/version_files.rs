//! The files of a version with their contents, as `GET /translations?version=` answers.
//!
//! All contents of a version together may be larger than the memory. So an answer holds a bounded part of them, and a large answer
//! is work as a large request is: it waits for a turn like one. Each content is looked up by itself, and no connection is held
//! while one is expanded.

use base16ct::lower::encode_string as hex;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use l10n_api_types::translations::{Encoding, VersionFile, VersionFiles};
use l10n_api_types::{FormatId, LanguageCode, VersionId};
use l10n_formats::locales;

use super::{Caller, ServiceError, delivery, versions};
use crate::store::Store;
use crate::store::blobs::{self, Hash};
use crate::store::version_files::{self, VersionFile as File};
use crate::store::versions::Version;

const MIB: i64 = 1024 * 1024;
/// Most bytes of contents in an answer.
const MOST: i64 = 32 * MIB;
/// An answer with more bytes of contents waits for its turn.
const LARGE: i64 = 4 * MIB;

/// A selection of a version's files.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileFilter {
    /// Files of this language alone.
    pub language: Option<LanguageCode>,
    /// Files of this format alone.
    pub format: Option<FormatId>,
    /// Leaves the contents of the files out.
    pub without_content: bool,
}

/// The files of a version that an answer holds, not read yet.
#[derive(Debug)]
pub(crate) struct SelectedFiles {
    version: Version,
    files: Vec<File>,
    has_content: bool,
}

impl SelectedFiles {
    /// Selects files of a version of the caller's project, live or not.
    ///
    /// # Errors
    ///
    /// 404 for a version that is none of the project's, 400 for a language that is no tag and for more contents than an answer
    /// holds.
    pub(crate) async fn find(
        store: &Store,
        caller: &Caller,
        version_id: &VersionId,
        filter: &FileFilter,
    ) -> Result<Self, ServiceError> {
        let language = filter.language.as_ref().map(|code| locales::canonicalize(code.as_str())).transpose();
        let language = language.map_err(|error| ServiceError::InvalidArgument(format!("`language`: {error}")))?;
        let mut tx = store.begin_read().await?;
        let version = versions::existing(&mut tx, &caller.project, version_id).await?;
        let mut files = version_files::list(&mut tx, &version.id).await?;
        tx.rollback().await?;
        files.retain(|file| {
            let is_of_language = language.as_ref().is_none_or(|language| *language == file.language);
            (file.holds_all_languages || is_of_language) && filter.format.is_none_or(|format| format == file.format)
        });
        let selected = Self { version, files, has_content: !filter.without_content };
        match selected.bytes() {
            bytes if bytes > MOST => Err(too_much(bytes)),
            _ => Ok(selected),
        }
    }

    /// Bytes of the contents in the answer.
    fn bytes(&self) -> i64 {
        let contents = self.files.iter().filter(|_| self.has_content);
        contents.fold(0, |sum: i64, file| sum.saturating_add(file.bytes))
    }

    /// Returns the bytes that the answer takes in memory, if these are so many that it has to wait for its turn.
    pub(crate) fn large(&self) -> Option<usize> {
        let bytes = Some(self.bytes()).filter(|bytes| *bytes > LARGE)?;
        usize::try_from(bytes).ok()
    }

    /// Reads the contents.
    ///
    /// # Errors
    ///
    /// 404 if the version was deleted meanwhile.
    pub(crate) async fn read(self, store: &Store) -> Result<VersionFiles, ServiceError> {
        let Self { version, files: selected, has_content } = self;
        let mut files = Vec::with_capacity(selected.len());
        for file in selected {
            let (encoding, content) = if has_content {
                let content = content(store, &file.sha256).await?;
                let content = content.ok_or_else(|| ServiceError::VersionNotFound(version.id.clone()))?;
                let (encoding, text) = as_text(content);
                (encoding, Some(text))
            } else {
                (Encoding::Utf8, None)
            };
            files.push(VersionFile {
                path: file.path,
                language: file.language.into(),
                namespace: file.namespace,
                format: file.format.into(),
                holds_all_languages: file.holds_all_languages,
                encoding,
                content,
                bytes: u64::try_from(file.bytes).unwrap_or_default(),
                sha256: hex(&file.sha256),
            });
        }
        Ok(VersionFiles {
            version_id: version.id,
            label: version.label,
            key_count: u64::try_from(version.key_count).unwrap_or_default(),
            published_at: version.published_at,
            languages: version.languages.0,
            files,
        })
    }
}

/// The plain bytes of a content, if it is there.
async fn content(store: &Store, sha256: &Hash) -> Result<Option<Vec<u8>>, ServiceError> {
    let stored = store.read_once(async |tx| blobs::find(tx, sha256).await).await?;
    match stored {
        Some(stored) => Ok(Some(delivery::plain(stored).await?)),
        None => Ok(None),
    }
}

/// Bytes as they travel in JSON.
fn as_text(bytes: Vec<u8>) -> (Encoding, String) {
    match String::from_utf8(bytes) {
        Ok(text) => (Encoding::Utf8, text),
        Err(error) => (Encoding::Base64, STANDARD.encode(error.as_bytes())),
    }
}

fn too_much(bytes: i64) -> ServiceError {
    ServiceError::InvalidArgument(format!(
        "the contents of these files have {} MiB, and an answer holds at most {} MiB of them: ask for one `language` or \
         `format` at a time, or leave the contents out with `content=false` and read each file at \
         `/bundles/{{versionId}}/{{path}}`",
        bytes.div_euclid(MIB).saturating_add(1),
        MOST / MIB,
    ))
}

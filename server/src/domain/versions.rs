//! Reading published versions: the list and the files of one.

use base16ct::lower::encode_string as hex;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use l10n_api_types::delivery::ManifestFile;
use l10n_api_types::translations::{Encoding, VersionFile, VersionFiles};
use l10n_api_types::versions::{ListQuery, Version, Versions};
use l10n_api_types::{FormatId, LanguageCode, ProjectId, VersionId};
use l10n_formats::locales;

use super::pages::{self, Cursor};
use super::{Caller, ServiceError, delivery};
use crate::delivery::manifest;
use crate::store::{Tx, projects, version_files, versions};

/// A page of the project's versions, newest first.
///
/// # Errors
///
/// 400 for a limit out of range and a cursor that no page gave.
pub(crate) async fn list(tx: &mut Tx, caller: &Caller, query: &ListQuery) -> Result<Versions, ServiceError> {
    let limit = pages::limit(query.limit)?;
    let before = match query.cursor.as_deref().map(Cursor::decode).transpose()? {
        Some(Cursor::Before(seq)) => seq,
        Some(_) => return Err(ServiceError::InvalidArgument("`cursor` is of another list".into())),
        None => i64::MAX,
    };
    let project = &caller.project;
    let live = projects::find(tx, project).await?.and_then(|project| project.live_version_id);
    let mut found = versions::list(tx, project, before, pages::one_more(limit)).await?;
    let next_cursor = pages::cut(&mut found, limit, |last| Cursor::Before(last.seq).encode());
    let versions = found.into_iter().map(|version| Version {
        live: live.as_ref() == Some(&version.id),
        version_id: version.id,
        number: u64::try_from(version.seq).unwrap_or_default(),
        label: version.label,
        key_count: u64::try_from(version.key_count).unwrap_or_default(),
        published_at: version.published_at,
    });
    Ok(Versions { versions: versions.collect(), next_cursor })
}

/// A page of at most `most` versions with a number below `before`, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn before(
    tx: &mut Tx,
    project: &ProjectId,
    before: i64,
    most: usize,
) -> Result<Vec<versions::VersionSummary>, ServiceError> {
    Ok(versions::list(tx, project, before, i64::try_from(most).unwrap_or(i64::MAX)).await?)
}

/// A version of the project, which has to be there.
///
/// # Errors
///
/// 404 for a version that is none of the project's.
pub(crate) async fn existing(
    tx: &mut Tx,
    project: &ProjectId,
    version_id: &VersionId,
) -> Result<versions::Version, ServiceError> {
    let unknown = || ServiceError::VersionNotFound(version_id.clone());
    if !pages::is_id(version_id.as_str()) {
        return Err(unknown());
    }
    versions::find(tx, project, version_id).await?.ok_or_else(unknown)
}

/// A version of the project, and its files with the URLs under which apps read them. `base_url` is that of the API.
///
/// # Errors
///
/// 404 for a version that is none of the project's.
pub(crate) async fn with_files(
    tx: &mut Tx,
    project: &ProjectId,
    version_id: &VersionId,
    base_url: &str,
) -> Result<(versions::Version, Vec<ManifestFile>), ServiceError> {
    let version = existing(tx, project, version_id).await?;
    let files = version_files::list(tx, &version.id).await?;
    let files = manifest::manifest(version.clone(), files, &format!("{base_url}/projects/{project}")).files;
    Ok((version, files))
}

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

/// The files of a version of the project, live or not.
///
/// # Errors
///
/// 404 for a version that is none of the project's, 400 for a language that is no tag.
pub(crate) async fn files(
    tx: &mut Tx,
    caller: &Caller,
    version_id: &VersionId,
    narrowed: &FileFilter,
) -> Result<VersionFiles, ServiceError> {
    let language = narrowed.language.as_ref().map(|code| locales::canonicalize(code.as_str())).transpose();
    let language = language.map_err(|error| ServiceError::InvalidArgument(format!("`language`: {error}")))?;
    let version = existing(tx, &caller.project, version_id).await?;
    let mut files = Vec::new();
    for file in version_files::list(tx, &version.id).await? {
        let other_language =
            !file.holds_all_languages && language.as_ref().is_some_and(|language| *language != file.language);
        if other_language || narrowed.format.is_some_and(|format| format != file.format) {
            continue;
        }
        let (encoding, content) = if narrowed.without_content {
            (Encoding::Utf8, None)
        } else {
            let (encoding, content) = as_text(delivery::read_plain(tx, &file.sha256).await?);
            (encoding, Some(content))
        };
        files.push(VersionFile {
            path: file.path,
            language: file.language.into(),
            namespace: file.namespace,
            format: file.format,
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

/// Bytes as they travel in JSON.
fn as_text(bytes: Vec<u8>) -> (Encoding, String) {
    match String::from_utf8(bytes) {
        Ok(text) => (Encoding::Utf8, text),
        Err(error) => (Encoding::Base64, STANDARD.encode(error.as_bytes())),
    }
}

/// A version of the strings of a project.
pub(crate) async fn find(
    tx: &mut Tx,
    project: &ProjectId,
    id: &VersionId,
) -> Result<Option<versions::Version>, ServiceError> {
    Ok(versions::find(tx, project, id).await?)
}

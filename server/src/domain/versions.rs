//! Reading published versions: the list and the files of one.

use l10n_api_types::delivery::ManifestFile;
use l10n_api_types::versions::{ListQuery, Version, Versions};
use l10n_api_types::{ProjectId, VersionId};

use super::pages::{self, Cursor};
use super::{Caller, ServiceError};
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
        Some(_) => return Err(ServiceError::cursor_of_another_list()),
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

/// A page of a version's files, by path.
pub(crate) struct FilesPage {
    /// The files, with the URLs under which apps read them.
    pub(crate) files: Vec<ManifestFile>,
    /// The path after which the next page begins, if there is one.
    pub(crate) next: Option<String>,
}

/// A page of at most `most` files of a version after a path. `base_url` is that of the API.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn files(
    tx: &mut Tx,
    version: &versions::Version,
    base_url: &str,
    (after, most): (&str, usize),
) -> Result<FilesPage, ServiceError> {
    let mut found = version_files::page(tx, &version.id, after, pages::one_more(most)).await?;
    let next = pages::cut(&mut found, most, |last| last.path.clone());
    let project_url = format!("{base_url}/projects/{}", version.project_id);
    Ok(FilesPage { files: manifest::manifest(version.clone(), found, &project_url).files, next })
}

/// A version of the strings of a project.
pub(crate) async fn find(
    tx: &mut Tx,
    project: &ProjectId,
    id: &VersionId,
) -> Result<Option<versions::Version>, ServiceError> {
    Ok(versions::find(tx, project, id).await?)
}

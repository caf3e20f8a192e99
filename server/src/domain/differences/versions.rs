//! The two sides: stored versions, and what a publish would make live.

use l10n_api_types::{ProjectId, VersionId};

use super::{Differences, DisplayedTexts, VersionSide, compare};
use crate::domain::publish::Preview;
use crate::domain::{ServiceError, versions};
use crate::store::{Tx, version_files};

/// The differences from one version of a project to another one.
///
/// # Errors
///
/// 404 for a version that is none of the project's.
pub async fn between_versions(
    tx: &mut Tx,
    project: &ProjectId,
    from: &VersionId,
    to: &VersionId,
    shown: DisplayedTexts<'_>,
) -> Result<Differences, ServiceError> {
    let (before, after) = (stored(tx, project, from).await?, stored(tx, project, to).await?);
    compare(tx, before, after, shown).await
}

/// The differences from the live version, if there is one, to what a publish would make live.
///
/// # Errors
///
/// 404 for a version that is none of the project's.
pub async fn from_live(
    tx: &mut Tx,
    project: &ProjectId,
    live: Option<&VersionId>,
    preview: Preview,
    shown: DisplayedTexts<'_>,
) -> Result<Differences, ServiceError> {
    let before = match live {
        Some(live) => stored(tx, project, live).await?,
        None => VersionSide::default(),
    };
    let languages = preview.issues.into_iter().map(|(language, _)| language).collect();
    let after = VersionSide { files: preview.files, languages, rendered: preview.contents };
    compare(tx, before, after, shown).await
}

async fn stored(tx: &mut Tx, project: &ProjectId, id: &VersionId) -> Result<VersionSide, ServiceError> {
    let version = versions::existing(tx, project, id).await?;
    let languages = version.languages.0.iter().map(|language| language.code.to_string()).collect();
    Ok(VersionSide { files: version_files::list(tx, &version.id).await?, languages, ..VersionSide::default() })
}

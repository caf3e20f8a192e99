//! A publish that has not been made, rendered in memory: nothing is stored.

use std::collections::HashMap;

use l10n_api_types::LanguageCode;
use l10n_api_types::publish::IssueCounts;

use super::files::{self, NoFiles, StagedFiles};
use super::limiter::PublishPermit;
use super::parts::PublishParts;
use super::publisher::Publisher;
use super::request::PublishRequest;
use super::staging::Staging;
use crate::delivery::at_rest::StoredBody;
use crate::domain::ServiceError;
use crate::store::blobs::Hash;
use crate::store::projects::Project;
use crate::store::version_files::VersionFile;
use crate::store::{Tx, output_formats, projects, staged_runs, translations};

/// Texts in all files of a publish, at most, that a preview renders.
const MOST_TEXTS: i64 = 400_000;
/// Bytes of all files, at most, since they are in memory. The source of each text counts, too: it may stand where a translation is
/// missing.
const MOST_BYTES: i64 = 128 * 1024 * 1024;

/// A publish that has not been made.
#[derive(Debug)]
pub struct Preview {
    /// The files, in the order of the output formats.
    pub(in crate::domain) files: Vec<VersionFile>,
    /// Their contents.
    pub(in crate::domain) contents: HashMap<Hash, StoredBody>,
    /// Keys in it.
    pub key_count: u64,
    /// Texts of each language that a check holds back, and that have warnings. The base language is not among them.
    pub issues: Vec<(String, IssueCounts)>,
}

/// The reason why there is no preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPreview {
    /// The project has no key.
    Nothing,
    /// The project is too large to be rendered for a look.
    TooLarge,
}

/// Waits for a turn to compare versions or to preview a publish, which the caller has until this is dropped.
///
/// # Errors
///
/// 503 where others take too long.
pub async fn comparison_turn(parts: PublishParts<'_>, project: &Project) -> Result<PublishPermit, ServiceError> {
    parts.comparisons.take(&project.workspace_id, project.key_count).await
}

/// Renders what a publish of some languages, or of all, would make live now. Languages that the project does not have any more
/// are passed over.
///
/// # Errors
///
/// 404 when there is no such project.
pub async fn preview<'a>(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    publisher: impl Into<Publisher<'a>>,
    languages: Option<&[LanguageCode]>,
) -> Result<Result<Preview, NoPreview>, ServiceError> {
    let publisher = publisher.into();
    let project = projects::find(tx, publisher.project()).await?;
    let project = project.ok_or_else(ServiceError::no_such_project)?;
    staged_runs::check_moved(tx, &project.id).await?;
    let asked = PublishRequest::of_present(tx, publisher.project(), languages).await?;
    let formats = output_formats::list(tx, &project.id).await?.len().max(1);
    let formats = i64::try_from(formats).unwrap_or(i64::MAX);
    let languages = i64::try_from(asked.languages.len()).unwrap_or(i64::MAX);
    if project.key_count.saturating_mul(languages.saturating_mul(formats)) > MOST_TEXTS {
        return Ok(Err(NoPreview::TooLarge));
    }
    let sizes = translations::sizes(tx, &project.id).await?;
    let of_format = sizes.of_keys.saturating_mul(languages).saturating_add(sizes.of_translations);
    if of_format.saturating_mul(formats) > MOST_BYTES {
        return Ok(Err(NoPreview::TooLarge));
    }
    let mut staging = Staging::in_memory(parts.events.clock.now());
    let rendered = files::render_into(tx, &project, &asked.languages, &mut staging).await?;
    Ok(match rendered {
        Ok(StagedFiles { files, key_count, issues }) => {
            Ok(Preview { files, contents: staging.into_contents(), key_count, issues })
        }
        Err(NoFiles::Nothing) => Err(NoPreview::Nothing),
        Err(NoFiles::TooMany(_)) => Err(NoPreview::TooLarge),
    })
}

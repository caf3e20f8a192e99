//! Removing a language: it is gone at once, and its translations are kept for a time, in which adding it brings them back.
//! Versions that have it stay as they are.

use l10n_api_types::ProjectId;
use l10n_formats::locales;

use crate::clock::Timestamp;
use crate::domain::people::audit;
use crate::domain::{ProjectChange, ServiceError};
use crate::store::audit_log::AuditAction;
use crate::store::languages::{self as rows, Language as Row};
use crate::store::removed_languages::{self, RemovedLanguage};
use crate::store::{Tx, counters, lock, projects, staged_runs};

/// Days for which the translations of a removed language are kept.
pub(crate) const KEPT_DAYS: u32 = 30;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// The reason why a language was not removed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RemoveError {
    /// The project has never had it, or nothing of it is kept.
    #[error("the project has no such language")]
    Unknown,
    /// The sources are written in it.
    #[error("the base language cannot be removed")]
    Base,
    /// Somebody has removed it already.
    #[error("this language has been removed already")]
    Removed,
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(RemoveError);

/// A removed language, whose translations are still there.
#[derive(Debug, Clone)]
pub(crate) struct Removal {
    /// Language, person and time.
    pub row: RemovedLanguage,
    /// Translations of active keys that adding it brings back.
    pub translations: i64,
    /// From when on they are deleted.
    pub kept_until: Timestamp,
}

/// The language that a person is about to remove, and how many translations of active keys it has.
///
/// # Errors
///
/// [`RemoveError`].
pub(crate) async fn before_removal(tx: &mut Tx, project: &ProjectId, code: &str) -> Result<(Row, i64), RemoveError> {
    // Only what could be a language is looked for.
    let code = locales::canonicalize(code).map_err(|_| RemoveError::Unknown)?;
    let found = rows::list(tx, project).await?.into_iter().find(|language| language.code == code);
    match found {
        Some(language) if language.is_base => Err(RemoveError::Base),
        Some(language) => {
            let translations = counters::of_language(tx, project, &code).await?;
            Ok((language, translations))
        }
        None if removed_languages::find(tx, project, &code).await?.is_some() => Err(RemoveError::Removed),
        None => Err(RemoveError::Unknown),
    }
}

/// Removes a language from the project. A run that is under way translates nothing into it any more.
///
/// # Errors
///
/// [`RemoveError`]; nothing was written then.
pub(crate) async fn remove(tx: &mut Tx, change: ProjectChange<'_>, code: &str) -> Result<(), RemoveError> {
    lock::project_to_change(tx, change.project).await?;
    let (language, translations) = before_removal(tx, change.project, code).await?;
    let now = change.clock.now();
    rows::remove(tx, change.project, &language.code).await?;
    projects::count_change_of_files(tx, change.project).await?;
    let removed = RemovedLanguage {
        project_id: change.project.clone(),
        code: language.code,
        removed_by: change.by.person().unwrap_or_default().to_owned(),
        removed_at: now,
    };
    removed_languages::insert(tx, &removed).await?;
    let (project, subject) = (Some(change.project), Some(removed.code.as_str()));
    let detail = format!("{translations} translations, kept for {KEPT_DAYS} days");
    let record = audit::Record { project, action: AuditAction::LanguageRemoved, subject, detail: Some(&detail) };
    Ok(audit::write(tx, change.workspace, change.by, now, record).await?)
}

/// The removed languages of a project whose translations are still there, by code.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn removed(tx: &mut Tx, project: &ProjectId) -> Result<Vec<Removal>, ServiceError> {
    let mut removals = Vec::new();
    for row in removed_languages::list(tx, project).await? {
        let translations = counters::of_language(tx, project, &row.code).await?;
        let kept_until = row.removed_at.plus_millis(i64::from(KEPT_DAYS) * DAY);
        removals.push(Removal { row, translations, kept_until });
    }
    Ok(removals)
}

/// Deletes at most `most` translations of a removed language, or forgets it when none is left. Returns false if it has to wait for
/// a run of its project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn forget(tx: &mut Tx, removed: &RemovedLanguage, most: i64) -> Result<bool, ServiceError> {
    let RemovedLanguage { project_id, code, .. } = removed;
    lock::project(tx, project_id).await?;
    if removed_languages::find(tx, project_id, code).await?.is_none() {
        // Somebody has added it again meanwhile.
        return Ok(true);
    }
    if staged_runs::has_others(tx, project_id, None).await? {
        // A large run that is under way has counted those that it brings along with renamed keys.
        return Ok(false);
    }
    // A process of an earlier release adds a language without looking here.
    let is_back = rows::has(tx, project_id, code).await?;
    if is_back || removed_languages::delete_translations(tx, project_id, code, most).await? == 0 {
        removed_languages::delete(tx, project_id, code).await?;
    }
    Ok(true)
}

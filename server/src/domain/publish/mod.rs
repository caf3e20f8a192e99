//! Publishing: a version of the keys is frozen and made live, or an earlier one is made live again.

mod files;
mod request;

use l10n_api_types::events::{EventType, StringsPublished};
use l10n_api_types::publish::{Publish, Published};
use l10n_api_types::{OperationId, PublishId, VersionId};

use self::files::Rendered;
use super::approval::{self, Work};
use super::{Caller, ServiceError, budgets, events};
use crate::ids::{IdKind, new_id};
use crate::mutants;
use crate::service::Service;
use crate::store::daily_counts::DailyBudget;
use crate::store::projects::Project;
use crate::store::row::Json;
use crate::store::versions::Version;
use crate::store::{Tx, languages, lock, projects, version_files, versions};

/// Freezes a version and makes it live. The project is locked to the end of `tx`, so versions have no gaps in their
/// numbers and each holds the keys as they are at its own time.
///
/// # Errors
///
/// 400 for the label and unknown languages, 403 for an agent's key without approval, 429 after the day's publishes, 409 when
/// there is no key.
pub async fn create(
    tx: &mut Tx,
    service: &Service,
    caller: &Caller,
    asked: Publish,
) -> Result<Published, ServiceError> {
    let project_id = caller.project.as_str();
    let project = locked(tx, project_id).await?;
    if asked.doc_ids.is_some() {
        return Err(ServiceError::InvalidArgument("`docIds` is for `target` `content`".to_owned()));
    }
    let label = request::label(asked.label)?;
    let languages = request::languages(asked.languages.as_deref(), languages::list(tx, project_id).await?)?;
    let now = service.clock.now();
    let approval = approval::require(tx, caller, asked.operation_id.as_ref(), Work::publish(&languages), now).await?;
    approval.use_up(tx, caller, now).await?;
    budgets::take(tx, project_id, DailyBudget::Publishes, 1, &service.settings.limits, now).await?;

    let Rendered { files, key_count, issues } = files::render(tx, &project, &languages).await?;
    let seq = projects::next_version_seq(tx, project_id).await?;
    let version = Version {
        id: new_id(IdKind::Version, now),
        project_id: project.id.clone(),
        seq,
        publish_id: new_id(IdKind::Publish, now),
        label: label.unwrap_or_else(|| format!("v{seq}")),
        key_count: i64::try_from(key_count).unwrap_or(i64::MAX),
        languages: Json(languages),
        base_language: project.base_language.clone(),
        issues: Json(issues),
        published_at: now,
    };
    versions::insert(tx, &version).await?;
    version_files::insert(tx, &version.id, &files).await?;
    projects::clear_changes(tx, project_id).await?;
    let publish_id = PublishId::from(version.publish_id.as_str());
    go_live(tx, service, caller, &project, &version, publish_id, files.len() as u64).await
}

/// Makes an earlier version live again. Keys and translations stay as they are, and so do its files and their URLs.
///
/// # Errors
///
/// 404 for a version that is none of the project's, 403 for an agent's key without approval, 429 after the day's restores,
/// 409 when it is live.
pub async fn restore(
    tx: &mut Tx,
    service: &Service,
    caller: &Caller,
    version_id: &VersionId,
    operation: Option<&OperationId>,
) -> Result<Published, ServiceError> {
    let project_id = caller.project.as_str();
    let project = locked(tx, project_id).await?;
    let version = versions::find(tx, project_id, version_id.as_str())
        .await?
        .ok_or_else(|| ServiceError::VersionNotFound(version_id.to_string()))?;
    let now = service.clock.now();
    let approval = approval::require(tx, caller, operation, Work::rollback(&version.id), now).await?;
    approval.use_up(tx, caller, now).await?;
    budgets::take(tx, project_id, DailyBudget::Restores, 1, &service.settings.limits, now).await?;
    if project.live_version_id.as_deref() == Some(version_id.as_str()) {
        return Err(ServiceError::VersionLive(version_id.to_string()));
    }
    let files = version_files::count(tx, &version.id).await?;
    let publish_id = PublishId::from(new_id(IdKind::Publish, now));
    let files = u64::try_from(files).unwrap_or_default();
    let published = go_live(tx, service, caller, &project, &version, publish_id, files).await?;
    Ok(Published { restored: true, ..published })
}

/// What publish and restore share: from here on the version is delivered, and webhooks are told of it. Whoever calls
/// them tells `service.deliveries_due` after the commit.
async fn go_live(
    tx: &mut Tx,
    service: &Service,
    caller: &Caller,
    project: &Project,
    version: &Version,
    publish_id: PublishId,
    files: u64,
) -> Result<Published, ServiceError> {
    projects::set_live_version(tx, &version.project_id, &version.id).await?;
    let data = StringsPublished {
        version_id: VersionId::from(version.id.as_str()),
        label: version.label.clone(),
        key_count: u64::try_from(version.key_count).unwrap_or_default(),
        languages: version.languages.0.clone(),
    };
    if version.publish_id == publish_id.as_str() || !mutants::on("restore_fires_nothing") {
        events::record(tx, service, project, EventType::StringsPublished, &publish_id, data).await?;
    }
    Ok(Published {
        request_id: caller.request.clone(),
        publish_id,
        version_id: VersionId::from(version.id.as_str()),
        label: version.label.clone(),
        key_count: u64::try_from(version.key_count).unwrap_or_default(),
        languages: version.languages.0.clone(),
        files,
        published_at: version.published_at,
        issues: version.issues.0,
        restored: false,
    })
}

/// A key's project is there as long as the key is.
/// The project, held to the end of `tx`, so that nothing changes before a version of it is live.
///
/// # Errors
///
/// 404 when there is none.
pub(in crate::domain) async fn locked(tx: &mut Tx, project_id: &str) -> Result<Project, ServiceError> {
    lock::project(tx, project_id).await?;
    let project = projects::find(tx, project_id).await?;
    project.ok_or_else(|| ServiceError::NotFound(format!("there is no project `{project_id}`")))
}

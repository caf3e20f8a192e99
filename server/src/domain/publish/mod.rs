//! Publishing: a version of the keys is frozen and made live, or an earlier one is made live again.
//!
//! ```text
//! ahead  ── a reading transaction ──> files rendered, of one state of the project; contents stored in pieces
//! create ── a short writing one ────> version, files, live pointer, event
//! ```
//!
//! A version holds the keys as they were when its rendering began: what changes while it renders is a change since this
//! publish, and belongs to the next one. Only a publish of the same project that was quicker makes it render again, so that
//! no older state becomes live after a newer one.

mod ahead;
mod allow;
mod files;
mod parts;
mod request;
mod rows;
mod staging;
mod turns;

use l10n_api_types::events::{EventType, StringsPublished};
use l10n_api_types::publish::{Publish, Published};
use l10n_api_types::{DailyBudget, OperationId, PublishId, VersionId};

pub(crate) use self::ahead::RenderedAhead;
pub use self::ahead::ahead;
pub(in crate::domain) use self::allow::allow;
use self::files::RenderedFiles;
pub use self::parts::PublishParts;
use self::request::PublishRequest;
pub(crate) use self::staging::sweep;
pub(in crate::domain) use self::staging::{Staging, take};
pub use self::turns::{PublishTurns, Turn};
use super::approval::GatedCall;
use super::events::{self, EventParts};
use super::{Caller, ServiceError};
use crate::clock::Timestamp;
use crate::config::Limits;
use crate::ids::{IdKind, new_id};
use crate::store::projects::Project;
use crate::store::row::Json;
use crate::store::versions::Version;
use crate::store::{Tx, projects, version_files, versions};

/// Waits for the caller's turn to publish, which it has until this is dropped.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn turn(parts: PublishParts<'_>, caller: &Caller) -> Result<Turn, ServiceError> {
    let mut tx = parts.store.begin_read().await?;
    let project = projects::find(&mut tx, caller.project.as_str()).await?;
    tx.rollback().await?;
    Ok(parts.turns.take(caller.workspace.as_str(), project.map_or(0, |project| project.key_count)).await)
}

/// Freezes what was rendered ahead and makes it live. The project is locked to the end of `tx`, so versions have no gaps in
/// their numbers. `None` when it has to be rendered again; then `tx` must not be committed.
///
/// # Errors
///
/// 403 for an agent's key without approval, 429 after the day's publishes, 409 when there is no key.
pub async fn create(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    caller: &Caller,
    asked: &Publish,
    ahead: &RenderedAhead,
) -> Result<Option<Published>, ServiceError> {
    let project = locked(tx, caller.project.as_str()).await?;
    if ahead.is_stale(&project) {
        return Ok(None);
    }
    let now = parts.events.clock.now();
    allow_publish(tx, parts.limits, caller, asked, &ahead.asked, now).await?;
    let Some(rendered) = ahead.rendered()? else { return Ok(None) };
    if !rendered.take_contents(tx).await? {
        return Ok(None);
    }
    land(tx, parts.events, caller, &project, &ahead.asked, rendered, ahead.changes, now).await.map(Some)
}

/// Does the work of [`ahead()`] and [`create`] in one transaction, so that no other publish comes between. It holds the project, and on SQLite the
/// writer, as long as rendering takes.
///
/// # Errors
///
/// Returns the errors of [`ahead()`] and [`create`].
pub async fn create_locked(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    caller: &Caller,
    asked: &Publish,
) -> Result<Published, ServiceError> {
    let project = locked(tx, caller.project.as_str()).await?;
    let checked = PublishRequest::check(tx, caller, asked).await?;
    let now = parts.events.clock.now();
    allow_publish(tx, parts.limits, caller, asked, &checked, now).await?;
    let rendered = files::render(tx, &project, &checked.languages, Staging::within(now)).await?;
    let rendered = rendered.ok_or(ServiceError::NothingToPublish)?;
    rendered.take_contents(tx).await?;
    land(tx, parts.events, caller, &project, &checked, &rendered, project.changes_since_publish, now).await
}

/// Allows a publish of these languages.
async fn allow_publish(
    tx: &mut Tx,
    limits: &Limits,
    caller: &Caller,
    asked: &Publish,
    checked: &PublishRequest,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let work = (GatedCall::publish(&checked.languages), asked.operation_id.as_ref());
    allow(tx, limits, caller, work, DailyBudget::Publishes, now).await
}

#[expect(clippy::too_many_arguments, reason = "all of a version's parts, each used once")]
async fn land(
    tx: &mut Tx,
    events: EventParts<'_>,
    caller: &Caller,
    project: &Project,
    asked: &PublishRequest,
    rendered: &RenderedFiles,
    changes: i64,
    now: Timestamp,
) -> Result<Published, ServiceError> {
    // The project is locked.
    let seq = project.version_seq + 1;
    let version = Version {
        id: new_id(IdKind::Version, now),
        project_id: project.id.clone(),
        seq,
        publish_id: new_id(IdKind::Publish, now),
        label: asked.label.clone().unwrap_or_else(|| format!("v{seq}")),
        key_count: i64::try_from(rendered.key_count).unwrap_or(i64::MAX),
        languages: Json(asked.languages.clone()),
        base_language: project.base_language.clone(),
        issues: Json(rendered.issues),
        published_at: now,
    };
    versions::insert(tx, &version).await?;
    version_files::insert(tx, &version.id, &rendered.files).await?;
    projects::land_version(tx, &project.id, seq, &version.id, changes).await?;
    let publish_id = PublishId::from(version.publish_id.as_str());
    announce(tx, events, caller, project, &version, publish_id, rendered.files.len() as u64).await
}

/// Makes an earlier version live again. Keys and translations do not change, nor do the version's files and their URLs.
///
/// # Errors
///
/// 404 for a version that is none of the project's, 403 for an agent's key without approval, 429 after the day's restores,
/// 409 when it is live.
pub(crate) async fn restore(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    caller: &Caller,
    version_id: &VersionId,
    operation: Option<&OperationId>,
) -> Result<Published, ServiceError> {
    let project_id = caller.project.as_str();
    let project = locked(tx, project_id).await?;
    let version = versions::find(tx, project_id, version_id.as_str())
        .await?
        .ok_or_else(|| ServiceError::VersionNotFound(version_id.to_string()))?;
    let now = parts.events.clock.now();
    let work = (GatedCall::rollback(&version.id), operation);
    allow(tx, parts.limits, caller, work, DailyBudget::Restores, now).await?;
    if project.live_version_id.as_deref() == Some(version_id.as_str()) {
        return Err(ServiceError::VersionLive(version_id.to_string()));
    }
    let files = version_files::count(tx, &version.id).await?;
    let publish_id = PublishId::from(new_id(IdKind::Publish, now));
    let files = u64::try_from(files).unwrap_or_default();
    projects::set_live_version(tx, project_id, &version.id).await?;
    let published = announce(tx, parts.events, caller, &project, &version, publish_id, files).await?;
    Ok(Published { restored: true, ..published })
}

/// The part that publish and restore share: webhooks are told of the version that is live now.
async fn announce(
    tx: &mut Tx,
    events: EventParts<'_>,
    caller: &Caller,
    project: &Project,
    version: &Version,
    publish_id: PublishId,
    files: u64,
) -> Result<Published, ServiceError> {
    let data = StringsPublished {
        version_id: VersionId::from(version.id.as_str()),
        label: version.label.clone(),
        key_count: u64::try_from(version.key_count).unwrap_or_default(),
        languages: version.languages.0.clone(),
    };
    events::record(tx, events, project, EventType::StringsPublished, &publish_id, data).await?;
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

/// The project, held to the end of `tx`, so that nothing changes before a version of it is live.
///
/// # Errors
///
/// 404 when there is none.
pub(in crate::domain) async fn locked(tx: &mut Tx, project_id: &str) -> Result<Project, ServiceError> {
    let project = projects::locked(tx, project_id).await?;
    project.ok_or_else(|| ServiceError::NotFound(format!("there is no project `{project_id}`")))
}

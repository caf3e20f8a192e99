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
//!
//! On PostgreSQL a small project is rendered by the transaction that makes its version live: fewer round trips.

mod ahead;
mod allow;
pub(in crate::domain) mod default_label;
mod files;
mod growing;
mod limiter;
mod parts;
mod personal;
mod preview;
mod publisher;
mod request;
mod rows;
mod staging;

use futures_util::future::BoxFuture;
use l10n_api_types::events::{EventType, StringsPublished};
use l10n_api_types::publish::{Publish, Published};
use l10n_api_types::{DailyBudget, OperationId, ProjectId, PublishId, VersionId};

pub(crate) use self::ahead::RenderedAhead;
pub use self::ahead::ahead;
pub(in crate::domain) use self::allow::{allow, look_for_approval};
use self::files::RenderedFiles;
pub use self::limiter::{PublishLimiter, PublishPermit};
pub use self::parts::PublishParts;
pub use self::personal::{PersonalError, publish_seen, restore_seen};
pub use self::preview::{NoPreview, Preview, comparison_turn, preview};
pub use self::publisher::{PersonalCall, Publisher};
pub(crate) use self::request::LONGEST_VERSION_LABEL;
use self::request::PublishRequest;
pub(crate) use self::staging::sweep;
pub(in crate::domain) use self::staging::{Staging, take};
use super::ServiceError;
use super::approval::GatedCall;
use super::events::{self, EventParts};
use super::people::audit::{self, Record};
use crate::clock::Timestamp;
use crate::config::Limits;
use crate::ids::{IdKind, new_id};
use crate::store::audit_log::AuditAction;
use crate::store::engine::DatabaseKind;
use crate::store::projects::Project;
use crate::store::row::Json;
use crate::store::versions::Version;
use crate::store::{StoreError, Tx, projects, staged_runs, version_files, versions};

/// Waits for the publisher's turn to publish, which it has until this is dropped.
///
/// # Errors
///
/// 503 where others take too long. Returns an error if the datastore fails, too.
pub async fn turn<'a>(
    parts: PublishParts<'_>,
    publisher: impl Into<Publisher<'a>>,
) -> Result<PublishPermit, ServiceError> {
    let publisher = publisher.into();
    let (keys, _) = size(parts, publisher).await?;
    parts.turns.take(publisher.workspace(), keys).await
}

/// The numbers of keys and of languages of the publisher's project.
async fn size(parts: PublishParts<'_>, publisher: Publisher<'_>) -> Result<(i64, i64), ServiceError> {
    let size = parts.store.read_once(async |tx| projects::size(tx, publisher.project()).await).await?;
    Ok(size.unwrap_or_default())
}

/// Texts in all languages up to which a project on PostgreSQL is rendered by the transaction that makes its version live. It is
/// held for as little time as a few statements more take: to render ahead, and to look again at what was rendered, would take
/// more. On SQLite statements cost little, and the only writer is not held for any rendering.
const RENDERED_AT_ONCE: i64 = 1_000;

/// Number of attempts to render a publish ahead, if others of the same project are quicker each time. After them it
/// renders while it holds the project.
const TRIES: usize = 4;

/// A publish that is about to be committed.
#[derive(Debug)]
pub struct Landing {
    /// The transaction that makes it live.
    pub tx: Tx,
    /// Its answer.
    pub published: Published,
    _turn: PublishPermit,
}

/// Begins the transaction of a publish.
pub type Begin<'b, E> = dyn Fn() -> BoxFuture<'b, Result<Tx, E>> + Send + Sync + 'b;

/// Publishes, in a transaction of `begin` that the caller commits.
///
/// # Errors
///
/// Returns the errors of `begin`, [`turn`], [`ahead()`] and [`create`].
pub async fn carried_out<'a, E: From<ServiceError>>(
    parts: PublishParts<'_>,
    publisher: impl Into<Publisher<'a>>,
    asked: &Publish,
    begin: &Begin<'_, E>,
) -> Result<Landing, E> {
    let publisher = publisher.into();
    let (keys, languages) = size(parts, publisher).await?;
    let is_small = keys.saturating_mul(languages) <= RENDERED_AT_ONCE;
    let (turn, tries) = if is_small && parts.store.engine() == DatabaseKind::Postgres {
        (parts.turns.take_own(publisher.workspace()).await?, 0)
    } else {
        (parts.turns.take(publisher.workspace(), keys).await?, TRIES)
    };
    for _ in 0..tries {
        let ahead = ahead(parts, publisher, asked).await?;
        let mut tx = begin().await?;
        if let Some(published) = create(&mut tx, parts, publisher, asked, &ahead).await? {
            return Ok(Landing { tx, published, _turn: turn });
        }
        tx.rollback().await.map_err(ServiceError::from)?;
    }
    let mut tx = begin().await?;
    let published = create_locked(&mut tx, parts, publisher, asked).await?;
    Ok(Landing { tx, published, _turn: turn })
}

/// Freezes what was rendered ahead and makes it live. The project is locked to the end of `tx`, so versions have no gaps in
/// their numbers. `None` when it has to be rendered again; then `tx` must not be committed.
///
/// # Errors
///
/// 403 for an agent's key without approval, 429 after the day's publishes, 409 when there is no key.
pub async fn create<'a>(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    publisher: impl Into<Publisher<'a>>,
    asked: &Publish,
    ahead: &RenderedAhead,
) -> Result<Option<Published>, ServiceError> {
    let publisher = publisher.into();
    let project = locked(tx, publisher.project()).await?;
    if ahead.is_stale(&project) {
        return Ok(None);
    }
    let now = parts.events.clock.now();
    allow_publish(tx, parts.limits, publisher, &project, asked, &ahead.asked, now).await?;
    let Some(rendered) = ahead.rendered()? else { return Ok(None) };
    if !rendered.take_contents(tx).await? {
        return Ok(None);
    }
    land(tx, parts.events, publisher, &project, &ahead.asked, rendered, ahead.changes, now).await.map(Some)
}

/// Does the work of [`ahead()`] and [`create`] in one transaction, so that no other publish comes between. It holds the
/// project, and on SQLite the writer, as long as rendering takes.
///
/// # Errors
///
/// Returns the errors of [`ahead()`] and [`create`]; 503 if a content is deleted as soon as others have stored it.
pub async fn create_locked<'a>(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    publisher: impl Into<Publisher<'a>>,
    asked: &Publish,
) -> Result<Published, ServiceError> {
    let publisher = publisher.into();
    let project = locked(tx, publisher.project()).await?;
    let checked = PublishRequest::check(tx, publisher.project(), asked).await?;
    let now = parts.events.clock.now();
    allow_publish(tx, parts.limits, publisher, &project, asked, &checked, now).await?;
    staged_runs::check_moved(tx, &project.id).await?;
    let rendered = files::render(tx, &project, &checked.languages, Staging::within(now)).await?;
    let rendered = rendered.ok_or(ServiceError::NothingToPublish)?;
    // On PostgreSQL others may store a content after this looked for it, and a sweep delete it at once.
    if !rendered.take_contents(tx).await? {
        return Err(StoreError::Busy.into());
    }
    let changes = project.changes_since_publish;
    land(tx, parts.events, publisher, &project, &checked, &rendered, changes, now).await
}

/// Allows a publish of these languages, after which those of the live version that it leaves out are not live any more.
async fn allow_publish(
    tx: &mut Tx,
    limits: &Limits,
    publisher: Publisher<'_>,
    project: &Project,
    asked: &Publish,
    checked: &PublishRequest,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let work = (gated(tx, project, asked, checked).await?, asked.operation_id.as_ref());
    publisher.allow(tx, limits, work, DailyBudget::Publishes, now).await
}

/// A publish as an approval has to allow it.
async fn gated<'a>(
    tx: &mut Tx,
    project: &Project,
    asked: &Publish,
    checked: &'a PublishRequest,
) -> Result<GatedCall<'a>, ServiceError> {
    let live = match &project.live_version_id {
        Some(live) if asked.operation_id.is_some() && !checked.left_out.is_empty() => {
            versions::find(tx, &project.id, live).await?
        }
        _ => None,
    };
    let is_live = |code: &&str| {
        live.as_ref().is_some_and(|live| live.languages.0.iter().any(|language| language.code.as_str() == *code))
    };
    let dropped = checked.left_out.iter().map(String::as_str).filter(is_live).collect();
    Ok(GatedCall::publish(&checked.languages, dropped))
}

#[expect(clippy::too_many_arguments, reason = "all of a version's parts, each used once")]
async fn land(
    tx: &mut Tx,
    events: EventParts<'_>,
    publisher: Publisher<'_>,
    project: &Project,
    asked: &PublishRequest,
    rendered: &RenderedFiles,
    changes: i64,
    now: Timestamp,
) -> Result<Published, ServiceError> {
    // The project is locked.
    let seq = project.version_seq + 1;
    let label = match &asked.label {
        Some(label) => label.clone(),
        None => default_label::of(project.default_label.as_deref(), seq, now),
    };
    let version = Version {
        id: VersionId::new(new_id(IdKind::Version, now)),
        project_id: project.id.clone(),
        seq,
        publish_id: new_id(IdKind::Publish, now),
        label,
        key_count: i64::try_from(rendered.key_count).unwrap_or(i64::MAX),
        languages: Json(asked.languages.clone()),
        base_language: project.base_language.clone(),
        issues: Json(rendered.issues),
        published_at: now,
        published_by: publisher.person().map(str::to_owned),
    };
    versions::insert(tx, &version).await?;
    version_files::insert(tx, &version.id, &rendered.files).await?;
    projects::land_version(tx, &project.id, seq, &version.id, changes).await?;
    if !asked.left_out.is_empty() {
        projects::count_change_of_files(tx, &project.id).await?;
    }
    let publish_id = PublishId::from(version.publish_id.as_str());
    record(tx, publisher, AuditAction::Published, &version, now).await?;
    announce(tx, events, publisher, project, &version, publish_id, rendered.files.len() as u64).await
}

/// Makes an earlier version live again. Keys and translations do not change, nor do the version's files and their URLs.
///
/// # Errors
///
/// 404 for a version that is none of the project's, 403 for an agent's key without approval, 429 after the day's restores,
/// 409 when it is live.
pub async fn restore<'a>(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    publisher: impl Into<Publisher<'a>>,
    version_id: &VersionId,
    operation: Option<&OperationId>,
) -> Result<Published, ServiceError> {
    let publisher = publisher.into();
    let project_id = publisher.project();
    let project = locked(tx, project_id).await?;
    let version = versions::find(tx, project_id, version_id)
        .await?
        .ok_or_else(|| ServiceError::VersionNotFound(version_id.clone()))?;
    let now = parts.events.clock.now();
    let work = (GatedCall::rollback(&version.id), operation);
    publisher.allow(tx, parts.limits, work, DailyBudget::Restores, now).await?;
    if project.live_version_id.as_ref() == Some(version_id) {
        return Err(ServiceError::VersionLive(version_id.clone()));
    }
    let files = version_files::count(tx, &version.id).await?;
    let publish_id = PublishId::from(new_id(IdKind::Publish, now));
    let files = u64::try_from(files).unwrap_or_default();
    let was_newest = match &project.live_version_id {
        Some(live) => versions::find(tx, project_id, live).await?.is_none_or(|live| live.seq == project.version_seq),
        None => true,
    };
    // An earlier version that is live counts as one change, however many were live before it.
    let changes = i64::from(was_newest) - i64::from(version.seq == project.version_seq);
    projects::set_live_version(tx, project_id, &version.id, changes).await?;
    record(tx, publisher, AuditAction::Restored, &version, now).await?;
    let published = announce(tx, parts.events, publisher, &project, &version, publish_id, files).await?;
    Ok(Published { restored: true, ..published })
}

/// Writes into the audit log who made a version live.
async fn record(
    tx: &mut Tx,
    publisher: Publisher<'_>,
    action: AuditAction,
    version: &Version,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let project = Some(publisher.project());
    let record = Record { project, action, subject: Some(version.id.as_str()), detail: Some(&version.label) };
    audit::write(tx, publisher.workspace(), &publisher.actor(), now, record).await
}

/// The part that publish and restore share: webhooks are told of the version that is live now.
async fn announce(
    tx: &mut Tx,
    events: EventParts<'_>,
    publisher: Publisher<'_>,
    project: &Project,
    version: &Version,
    publish_id: PublishId,
    files: u64,
) -> Result<Published, ServiceError> {
    let data = StringsPublished {
        version_id: version.id.clone(),
        label: version.label.clone(),
        key_count: u64::try_from(version.key_count).unwrap_or_default(),
        languages: version.languages.0.clone(),
    };
    events::record(tx, events, project, EventType::StringsPublished, &publish_id, data).await?;
    Ok(Published {
        request_id: publisher.request().clone(),
        publish_id,
        version_id: version.id.clone(),
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
pub(in crate::domain) async fn locked(tx: &mut Tx, project_id: &ProjectId) -> Result<Project, ServiceError> {
    let project = projects::locked(tx, project_id).await?;
    project.ok_or_else(|| ServiceError::NotFound(format!("there is no project `{project_id}`")))
}

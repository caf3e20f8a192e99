//! A version rendered before the transaction that makes it live begins, so that nobody waits for it.

use l10n_api_types::publish::Publish;
use l10n_api_types::{DailyBudget, VersionId};

use super::allow::look_for_approval;
use super::files::{self, RenderedFiles};
use super::gated;
use super::parts::PublishParts;
use super::publisher::Publisher;
use super::request::PublishRequest;
use super::staging::Staging;
use crate::domain::{ServiceError, budgets, run};
use crate::store::projects;
use crate::store::projects::Project;

/// The rendered files, and the state of the project that they show.
#[derive(Debug)]
pub struct RenderedAhead {
    pub(super) asked: PublishRequest,
    /// Changes since the publish before that are in it.
    pub(super) changes: i64,
    version_seq: i64,
    live: Option<VersionId>,
    outcome: RenderOutcome,
}

#[derive(Debug)]
enum RenderOutcome {
    RenderedFiles(RenderedFiles),
    /// The project has no key.
    Nothing,
    /// Not rendered: the publish will be refused, since the day's publishes are used up, or an agent's key names no operation.
    Refused,
}

/// Renders the files that a publish will make live and stores their contents, which nothing reads before a version
/// names them.
///
/// # Errors
///
/// 400 for the label, unknown languages and too many files, 403 for an operation that does not allow the publish.
pub async fn ahead<'a>(
    parts: PublishParts<'_>,
    publisher: impl Into<Publisher<'a>>,
    publish: &Publish,
) -> Result<RenderedAhead, ServiceError> {
    let publisher = publisher.into();
    let mut tx = run::begin_read_whole(parts.store, publisher.project()).await?;
    let project = projects::find(&mut tx, publisher.project()).await?;
    let project = project.ok_or_else(ServiceError::no_such_project)?;
    let asked = PublishRequest::check(&mut tx, publisher.project(), publish).await?;
    let (limits, now) = (parts.limits, parts.events.clock.now());
    let is_refused = match publisher {
        Publisher::Key(caller) => {
            let work = (gated(&mut tx, &project, publish, &asked).await?, publish.operation_id.as_ref());
            look_for_approval(parts.store, caller, work, now).await?;
            let left = budgets::remaining(&mut tx, &project.id, DailyBudget::Publishes, limits, now).await?;
            left == 0 || (caller.needs_approval() && publish.operation_id.is_none())
        }
        Publisher::Person(_) => false,
    };
    let outcome = if is_refused {
        RenderOutcome::Refused
    } else {
        match files::render(&mut tx, &project, &asked.languages, Staging::ahead(parts.store, now)).await? {
            Some(rendered) => RenderOutcome::RenderedFiles(rendered),
            None => RenderOutcome::Nothing,
        }
    };
    tx.rollback().await?;
    Ok(RenderedAhead {
        asked,
        changes: project.changes_since_publish,
        version_seq: project.version_seq,
        live: project.live_version_id,
        outcome,
    })
}

impl RenderedAhead {
    /// Returns whether another publish or a restore of the project was quicker: it may have made a later state live, and the
    /// changes were counted before it.
    pub(super) fn is_stale(&self, project: &Project) -> bool {
        let is_same = self.version_seq == project.version_seq && self.live == project.live_version_id;
        matches!(self.outcome, RenderOutcome::RenderedFiles(_)) && !is_same
    }

    /// The rendered files; `None` for a publish that seemed to be refused and is not.
    pub(super) fn rendered(&self) -> Result<Option<&RenderedFiles>, ServiceError> {
        match &self.outcome {
            RenderOutcome::RenderedFiles(rendered) => Ok(Some(rendered)),
            RenderOutcome::Nothing => Err(ServiceError::NothingToPublish),
            RenderOutcome::Refused => Ok(None),
        }
    }
}

//! Another run over the failures of a document's run, because a person asks for it. It counts against no budget of the API, and
//! costs at most the price that the person has seen.

use std::collections::HashSet;

use l10n_api_types::translations::Run;
use l10n_api_types::{DocumentId, Millicredits, TrackingToken};
use l10n_formats::SourceHash;

use super::present;
use super::run::{SegmentSelection, describe, plan, remember};
use crate::domain::people::audit::{self, AuditAction, Record};
use crate::domain::publish::PersonalCall;
use crate::domain::run::personal::StartError;
use crate::domain::run::queue::{JobInput, queue};
use crate::domain::run::runner::Runner;
use crate::domain::run::{RunParts, answer, name_hold, placed_hold, work};
use crate::domain::{ServiceError, credits, jobs as job_rules};
use crate::store::documents::Document;
use crate::store::{Tx, job_failures, languages, lock};

/// Most failures that are looked at; a document of the largest size has fewer segments.
const MOST: i64 = 50_000;

/// The failures of a run: segments that the document still has, and languages in which some failed.
struct FailedWork {
    document: Document,
    targets: Vec<String>,
    segments: HashSet<SourceHash>,
}

impl FailedWork {
    fn wanted(&self) -> SegmentSelection<'_> {
        SegmentSelection { targets: &self.targets, retranslate: false, only: Some(&self.segments) }
    }
}

/// The price of translating again what failed in a run of a document.
///
/// # Errors
///
/// 404 for a run that the project does not have, or whose document is gone.
pub(crate) async fn retry_price(
    parts: RunParts<'_>,
    call: PersonalCall<'_>,
    run: &TrackingToken,
) -> Result<Run, ServiceError> {
    let mut tx = parts.store.begin_read().await?;
    let failed = failed(&mut tx, call, run).await?;
    let plan = plan(&mut tx, parts, call.project, &failed.document, failed.wanted()).await?;
    let funds = credits::funds(&mut tx, call.workspace, parts.clock.now()).await?;
    tx.rollback().await?;
    let priced = describe(Runner::Person { call, agreed: Millicredits::ZERO }, &plan, true);
    Ok(answer::would_fail(priced, funds.cover(work::price(&plan.work))))
}

/// Translates it for at most `agreed`; returns the token of the run, unless translation memory had everything.
///
/// # Errors
///
/// [`StartError`]; 404 as [`retry_price`], 402 for credits and the cap. Nothing is written then.
pub(crate) async fn retry(
    parts: RunParts<'_>,
    call: PersonalCall<'_>,
    run: &TrackingToken,
    agreed: Millicredits,
) -> Result<Option<TrackingToken>, StartError> {
    let (runner, now) = (Runner::Person { call, agreed }, parts.clock.now());
    let mut tx = parts.store.begin_write_in(call.workspace, call.project).await?;
    lock::project(&mut tx, call.project).await?;
    let failed = failed(&mut tx, call, run).await?;
    let plan = plan(&mut tx, parts, call.project, &failed.document, failed.wanted()).await?;
    let price = work::price(&plan.work);
    if plan.work.iter().all(|work| work.needed.len() == 0) {
        return Err(StartError::Nothing);
    }
    if price > agreed {
        return Err(StartError::Dearer);
    }
    lock::workspace(&mut tx, call.workspace).await?;
    credits::funds(&mut tx, call.workspace, now).await?.cover(price)?;
    remember(&mut tx, parts, call.project, &failed.document, &plan, now).await?;
    let mut done = describe(runner, &plan, false);
    if work::queued(&plan.work) > 0 {
        let names: Vec<String> = plan.segments.iter().map(|segment| segment.name.clone()).collect();
        let id = DocumentId::from(failed.document.id.as_str());
        let (incoming, texts, work) = (plan.segments.as_slice(), &plan.texts, plan.work.as_slice());
        let (document, engines, retranslate) = (Some(&id), &plan.engines, false);
        let left = JobInput { document, engines, retranslate, incoming, texts, work, names: &names };
        done.tracking_token = Some(queue(&mut tx, parts, runner, left, now).await?);
    }
    let subject = done.tracking_token.as_ref().map(TrackingToken::as_str);
    let detail = failed.targets.join(", ");
    let record =
        Record { project: Some(call.project), action: AuditAction::RunStarted, subject, detail: Some(&detail) };
    audit::write(&mut tx, call.workspace, &call.person.actor(), now, record).await?;
    let placed = placed_hold(&mut tx, &done).await?;
    tx.commit().await.map_err(|error| name_hold(error.into(), placed))?;
    Ok(done.tracking_token)
}

async fn failed(tx: &mut Tx, call: PersonalCall<'_>, run: &TrackingToken) -> Result<FailedWork, ServiceError> {
    let job = job_rules::show::find(tx, call.project, run).await?;
    let document = match &job.document_id {
        Some(id) if job.status.is_final() => present(tx, call.project, id.as_str()).await?,
        _ => None,
    };
    let gone = || ServiceError::NotFound("the document of this run is not there any more".to_owned());
    let document = document.ok_or_else(gone)?;
    let failures = job_failures::list_after(tx, run, -1, MOST).await?;
    let codes = languages::list(tx, call.project).await?.into_iter().map(|language| language.code);
    let is_target =
        |code: &String| *code != document.language && failures.iter().any(|failure| failure.language == *code);
    let targets = codes.filter(is_target).collect();
    let hash = |name: &str| serde_json::from_value(name.into()).ok();
    let segments = failures.iter().filter_map(|failure| hash(&failure.name)).collect();
    Ok(FailedWork { document, targets, segments })
}

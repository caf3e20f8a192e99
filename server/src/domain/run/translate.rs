//! `POST /translate`: some keys, whatever else the project holds.

use l10n_api_types::translations::{Run, TranslateBody};

use super::gather::{Gathered, RunInput, gather};
use super::stage::Staged;
use super::targets::{check_size, targets};
use super::{RunContext, RunParts, ahead, answer, incoming, land};
use crate::compute::{MANY, compute};
use crate::domain::approval::Approval;
use crate::domain::code_changes::reconcile::reconcile;
use crate::domain::{Caller, ServiceError, credits};
use crate::store::projects::Project;
use crate::store::{StoreError, Tx, code_changes, languages, lock, projects};

/// Registers keys and queues the needed translations; a dry run returns the effect and the price of that. The
/// transaction is to be committed.
///
/// # Errors
///
/// 400 for the fields, 403 for an agent's key, 402 for credits, cap and plan.
pub(crate) async fn translate(
    parts: RunParts<'_>,
    caller: &Caller,
    body: TranslateBody,
    dry_run: bool,
) -> Result<(Tx, Run), ServiceError> {
    let mut cx = RunContext::new(parts, caller, dry_run, body.operation_id.as_ref());
    let incoming = incoming::from_keys(body.keys)?;
    let ahead = ahead::is_worth_it(&cx, incoming.len());
    let writes = !dry_run && !ahead;
    let mut tx = cx.begin(writes).await?;
    let project = begin(&mut tx, &cx, writes).await?;
    let languages = languages::list(&mut tx, &project.id).await?;
    let targets = targets(body.languages.as_deref(), &languages, &project.base_language)?;
    check_size(incoming.len(), &targets)?;
    let input = RunInput {
        incoming,
        file: None,
        targets,
        retranslate: body.retranslate.unwrap_or(false),
        archive: false,
        is_held: false,
        only: None,
        settled: Vec::new(),
        warnings: Vec::new(),
    };
    execute(tx, &mut cx, project, input, ahead).await
}

/// The project, held to its end by a transaction that writes.
pub(super) async fn begin(tx: &mut Tx, cx: &RunContext<'_>, writes: bool) -> Result<Project, ServiceError> {
    let id = cx.runner.project();
    if writes {
        lock::project_to_change(tx, id).await?;
    }
    // It may have been archived since the key was looked at.
    let project = projects::find(tx, id).await?.filter(|project| project.archived_at.is_none());
    project.ok_or_else(ServiceError::no_such_project)
}

/// Plans the run, and carries it out unless it is a dry one. `tx` can write unless the run is dry or `ahead`.
pub(super) async fn execute(
    mut tx: Tx,
    cx: &mut RunContext<'_>,
    project: Project,
    mut input: RunInput,
    ahead: bool,
) -> Result<(Tx, Run), ServiceError> {
    if ahead {
        tx.rollback().await?;
        // On the heap: whoever calls it need not have room for all of it on the stack.
        return Box::pin(ahead::execute(cx, input)).await;
    }
    let run = in_one(&mut tx, cx, project, &mut input).await?;
    Ok((tx, run))
}

/// All of a run in one transaction.
pub(super) async fn in_one(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    project: Project,
    input: &mut RunInput,
) -> Result<Run, ServiceError> {
    let targets = input.targets.clone();
    let approval = cx.approval(tx, targets.iter().map(String::as_str)).await?;
    let planned = plan(tx, cx, project, input).await?;
    // On PostgreSQL others may forget a text of memory after this looked for it.
    conclude(tx, cx, input, planned, approval, None).await?.ok_or_else(|| StoreError::Busy.into())
}

/// A planned run: the data that it found, and its answer as far as that is known.
pub(super) struct PlannedRun {
    pub gathered: Gathered,
    pub run: Run,
}

/// Plans a run; changes the input to the one that the run shall use.
pub(super) async fn plan(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    project: Project,
    input: &mut RunInput,
) -> Result<PlannedRun, ServiceError> {
    // Keys as the project holds them say nothing about the code.
    if !input.is_held {
        let pending = code_changes::all(tx, &project.id).await?;
        let path = input.file.as_ref().map(|file| file.path.as_str());
        let reconciled = compute(input.incoming.len() >= MANY, || reconcile(&mut input.incoming, &pending, path));
        input.settled = reconciled.settled;
        input.warnings.extend(reconciled.warnings);
    }
    let gathered = gather(tx, cx, project, input).await?;
    let mut run = answer::describe(tx, cx, input, &gathered).await?;
    run.changes_nothing = land::changes_nothing(tx, cx, input, &gathered).await?;
    Ok(PlannedRun { gathered, run })
}

/// The refusal of the run by the credits, the cap or the plan, if there is one.
pub(super) async fn refusal(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &RunInput,
    planned: &mut PlannedRun,
) -> Result<Result<(), ServiceError>, ServiceError> {
    let PlannedRun { gathered, run } = planned;
    let funds = credits::funds(tx, &gathered.project.workspace_id, cx.now).await?;
    run.balance = funds.balance;
    Ok(match funds.cover(gathered.price()) {
        Ok(()) => check_plan(tx, cx, input, gathered).await,
        Err(error) => Err(error),
    })
}

/// Writes a planned run; for a dry run, adds the error that the real one would meet. `None` where memory does not have all that
/// the plan took from it: then nothing of `tx` may be committed.
pub(super) async fn conclude(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &RunInput,
    mut planned: PlannedRun,
    approval: Option<Approval<'_>>,
    staged: Option<&Staged>,
) -> Result<Option<Run>, ServiceError> {
    let gathered = &planned.gathered;
    if let Some(approval) = &approval {
        approval.covers(gathered.price(), answer::archived(input, gathered))?;
        lock::workspace(tx, &gathered.project.workspace_id).await?;
    }
    let refused = refusal(tx, cx, input, &mut planned).await?;
    let Some(approval) = approval else { return Ok(Some(answer::would_fail(planned.run, refused))) };
    refused?;
    approval.use_up(tx, cx.runner.request(), cx.now).await?;
    let landed = land::land(tx, cx, input, &planned.gathered, staged).await?;
    Ok(landed.map(|landed| answer::landed(planned.run, landed.token)))
}

/// Checks that the plan has room for the keys that there would be.
async fn check_plan(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &RunInput,
    gathered: &Gathered,
) -> Result<(), ServiceError> {
    let counts = gathered.classified.counts();
    if counts.new == 0 {
        return Ok(());
    }
    let workspace = credits::workspace(tx, &gathered.project.workspace_id).await?;
    let archived = answer::archived(input, gathered);
    let held = u64::try_from(gathered.project.key_count).unwrap_or_default();
    let wanted = (held + counts.new).saturating_sub(archived);
    match cx.parts.settings.plan(&workspace.plan).keys {
        Some(limit) if wanted > limit => Err(ServiceError::PlanLimit { feature: "keys", limit, wanted }),
        _ => Ok(()),
    }
}

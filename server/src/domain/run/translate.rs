//! `POST /translate`: some keys, whatever else the project holds.

use l10n_api_types::translations::{Run, TranslateBody};

use super::gather::{Gathered, Input, gather};
use super::targets::{check_size, targets};
use super::{Cx, answer, incoming, land};
use crate::domain::code_changes::reconcile::reconcile;
use crate::domain::{Caller, ServiceError, credits};
use crate::service::Service;
use crate::store::projects::Project;
use crate::store::{Tx, code_changes, languages, lock, projects};

/// Registers keys and queues what is to be translated, or says what that would do and cost.
///
/// # Errors
///
/// 400 for the fields, 403 for an agent's key, 402 for credits, cap and plan.
pub async fn translate(
    tx: &mut Tx,
    service: &Service,
    caller: &Caller,
    body: TranslateBody,
    dry_run: bool,
) -> Result<Run, ServiceError> {
    let cx = Cx::new(service, caller, dry_run, body.operation_id.as_ref());
    let incoming = incoming::from_keys(body.keys)?;
    let project = begin(tx, &cx).await?;
    let languages = languages::list(tx, &project.id).await?;
    let targets = targets(body.languages.as_deref(), &languages, &project.base_language)?;
    check_size(incoming.len(), &targets)?;
    let input = Input {
        incoming,
        file: None,
        targets,
        retranslate: body.retranslate.unwrap_or(false),
        archive: false,
        settled: Vec::new(),
        warnings: Vec::new(),
    };
    execute(tx, &cx, project, input).await
}

/// The project, held by a real run to its end.
pub(super) async fn begin(tx: &mut Tx, cx: &Cx<'_>) -> Result<Project, ServiceError> {
    let id = cx.caller.project.as_str();
    if !cx.dry_run {
        lock::project(tx, id).await?;
    }
    // It may have been archived since the key was looked at.
    let project = projects::find(tx, id).await?.filter(|project| project.archived_at.is_none());
    project.ok_or_else(|| ServiceError::NotFound("there is no such project".to_owned()))
}

/// Plans the run, and carries it out unless it is a dry one.
pub(super) async fn execute(tx: &mut Tx, cx: &Cx<'_>, project: Project, mut input: Input) -> Result<Run, ServiceError> {
    let approval = cx.approval(tx, input.targets.iter().map(String::as_str)).await?;
    let pending = code_changes::all(tx, &project.id).await?;
    let path = input.file.as_ref().map(|file| file.path.as_str());
    let reconciled = reconcile(&mut input.incoming, &pending, path);
    input.settled = reconciled.settled;
    input.warnings.extend(reconciled.warnings);
    let gathered = gather(tx, cx, project, &input).await?;
    if let Some(approval) = &approval {
        approval.covers(gathered.price(), answer::archived(&input, &gathered))?;
    }
    let mut run = answer::describe(tx, cx, &input, &gathered).await?;
    if !cx.dry_run {
        lock::workspace(tx, &gathered.project.workspace_id).await?;
    }
    let funds = credits::funds(tx, &gathered.project.workspace_id, cx.now).await?;
    run.balance = funds.balance;
    let refused = match funds.cover(gathered.price()) {
        Ok(()) => check_plan(tx, cx, &input, &gathered).await,
        Err(error) => Err(error),
    };
    let Some(approval) = approval else { return Ok(answer::would_fail(run, refused)) };
    refused?;
    approval.use_up(tx, cx.caller, cx.now).await?;
    let token = land::land(tx, cx, &input, &gathered).await?;
    Ok(answer::landed(run, token))
}

/// Whether the plan holds the keys that there would be.
async fn check_plan(tx: &mut Tx, cx: &Cx<'_>, input: &Input, gathered: &Gathered) -> Result<(), ServiceError> {
    let counts = gathered.classified.counts();
    if counts.new == 0 {
        return Ok(());
    }
    let workspace = credits::workspace(tx, &gathered.project.workspace_id).await?;
    let archived = answer::archived(input, gathered);
    let held = u64::try_from(gathered.project.key_count).unwrap_or_default();
    let wanted = (held + counts.new).saturating_sub(archived);
    match cx.service.settings.plan(&workspace.plan).keys {
        Some(limit) if wanted > limit => Err(ServiceError::PlanLimit { feature: "keys", limit, wanted }),
        _ => Ok(()),
    }
}

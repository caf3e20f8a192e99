//! A large run: planned in a transaction that cannot write, staged in short ones, made live in one more.
//!
//! On SQLite one transaction writes at a time, so that a run which plans and writes thousands of keys in one keeps everyone
//! waiting. What changed between the plan and the last transaction is found out by the project's `change_seq`: then the plan
//! is made anew, and after some attempts all is done in one transaction.

use l10n_api_types::translations::Run;

use super::gather::RunInput;
use super::stage::{self, Staged};
use super::translate::{PlannedRun, begin, conclude, in_one, plan, refusal};
use super::{RunContext, answer, moving};
use crate::domain::ServiceError;
use crate::domain::approval::Approval;
use crate::store::{Tx, code_changes};

/// Runs of more items are planned ahead.
pub(super) const ITEMS: usize = 1_000;
/// Most times that a run is planned ahead before it is done in one transaction. From the second time on, the other
/// writes of its project wait in this process, so that even a busy project rarely needs that transaction.
pub(super) const RUN_ATTEMPTS: usize = 3;

/// Returns whether a run of so many items is planned ahead.
pub(super) fn is_worth_it(cx: &RunContext<'_>, items: usize) -> bool {
    !cx.dry_run && items > ITEMS
}

/// Carries a real run out; the transaction is to be committed.
pub(super) async fn execute(cx: &mut RunContext<'_>, mut input: RunInput) -> Result<(Tx, Run), ServiceError> {
    check_approval(cx, &input, None).await?;
    for attempt in 0..RUN_ATTEMPTS {
        if attempt > 0 {
            cx.hold_turn().await?;
        }
        let mut tx = cx.begin(false).await?;
        let project = begin(&mut tx, cx, false).await?;
        // The plan changes the input where people's changes are pending.
        let is_changed = !code_changes::all(&mut tx, &project.id).await?.is_empty();
        let before = is_changed.then(|| (input.incoming.clone(), input.warnings.clone()));
        let change_seq = project.change_seq;
        let mut planned = plan(&mut tx, cx, project, &mut input).await?;
        let refused = refusal(&mut tx, cx, &input, &mut planned).await?;
        tx.rollback().await?;
        check_approval(cx, &input, Some(&planned)).await?;
        refused?;
        match carry_out(cx, &input, planned, change_seq).await? {
            Some(done) => return Ok(done),
            None => tracing::info!("a run is planned anew, since its project or its memory has changed"),
        }
        if let Some((incoming, warnings)) = before {
            (input.incoming, input.warnings) = (incoming, warnings);
        }
    }
    tracing::warn!("a large run is done in one transaction, since its project keeps changing");
    let mut tx = cx.begin(true).await?;
    let project = begin(&mut tx, cx, true).await?;
    let run = in_one(&mut tx, cx, project, &mut input).await?;
    Ok((tx, run))
}

/// Refuses a run early that no approval allows; the last transaction looks again.
async fn check_approval(
    cx: &RunContext<'_>,
    input: &RunInput,
    planned: Option<&PlannedRun>,
) -> Result<(), ServiceError> {
    match look_for_approval(cx, input.targets.iter().map(String::as_str)).await?.zip(planned) {
        Some((approval, PlannedRun { gathered, .. })) => {
            approval.covers(gathered.price(), answer::archived(input, gathered))
        }
        None => Ok(()),
    }
}

/// The leave to run into these languages, where a run needs one: looked for early, and not used up.
pub(super) async fn look_for_approval<'l>(
    cx: &RunContext<'_>,
    languages: impl IntoIterator<Item = &'l str>,
) -> Result<Option<Approval<'l>>, ServiceError> {
    if cx.operation.is_none() && !cx.runner.needs_approval() {
        return Ok(None);
    }
    let mut tx = cx.begin(true).await?;
    let approval = cx.approval(&mut tx, languages).await?;
    tx.rollback().await?;
    Ok(approval)
}

/// Stages what the run writes and makes it live; `None` when the project, or what memory has for it, has changed since the plan
/// was made.
async fn carry_out(
    cx: &mut RunContext<'_>,
    input: &RunInput,
    planned: PlannedRun,
    change_seq: i64,
) -> Result<Option<(Tx, Run)>, ServiceError> {
    if !stage::is_worth_it(input, &planned.gathered) {
        return last(cx, input, planned, change_seq, None).await;
    }
    // On the heap, as all of the run is.
    let staged = Box::pin(stage::stage(cx, input, &planned.gathered)).await?;
    let Some((staged, guard)) = staged else { return Ok(None) };
    if staged.moves_later {
        // Beyond the last transaction, until all is in its place.
        cx.hold_turn().await?;
    }
    let done = last(cx, input, planned, change_seq, Some(&staged)).await;
    guard.end(matches!(done, Ok(Some(_)))).await;
    done
}

/// The last transaction of a run, which makes all of it visible.
async fn last(
    cx: &RunContext<'_>,
    input: &RunInput,
    planned: PlannedRun,
    change_seq: i64,
    staged: Option<&Staged>,
) -> Result<Option<(Tx, Run)>, ServiceError> {
    let mut tx = cx.begin(true).await?;
    let project = begin(&mut tx, cx, true).await?;
    // One more: that of this transaction.
    if project.change_seq != change_seq + 1 {
        tx.rollback().await?;
        return Ok(None);
    }
    let approval = cx.approval(&mut tx, input.targets.iter().map(String::as_str)).await?;
    let outcome = match is_live(&mut tx, &planned, staged).await {
        Ok(true) => conclude(&mut tx, cx, input, planned, approval, staged).await,
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    };
    let moved = staged.filter(|staged| staged.moves_later).map(|staged| &staged.run);
    moving::settle(tx, cx, outcome, moved).await
}

async fn is_live(tx: &mut Tx, planned: &PlannedRun, staged: Option<&Staged>) -> Result<bool, ServiceError> {
    match staged {
        Some(staged) => staged.go_live(tx, planned.gathered.queued() > 0).await,
        None => Ok(true),
    }
}

//! Large imports: what the project has is read and compared in a transaction that cannot write, as [`ahead`](super::ahead) does for
//! texts in the base language. On SQLite many translations are then staged in short transactions; one more makes the import
//! live, and they are moved to their place after it ([`moving`](super::moving)). On PostgreSQL, where a transaction holds its
//! own project alone, the last one writes them.

use l10n_api_types::translations::Run;
use l10n_api_types::{LanguageCode, TrackingToken};

use super::ahead::{ITEMS, RUN_ATTEMPTS, look_for_approval};
use super::import::{ImportComparison, ImportInput, ImportResult, describe, import};
use super::imported::write;
use super::stage::{StagedRunGuard, begin_piece};
use super::targets::of_project;
use super::translate::begin;
use super::{RunContext, moving};
use crate::domain::ServiceError;
use crate::ids::{IdKind, new_id};
use crate::store::engine::DatabaseKind;
use crate::store::staged_changes::ChangeTotals;
use crate::store::staged_runs::{self, StagedRun, StagedTotals};
use crate::store::translations::NewTranslation;
use crate::store::{Tx, languages, projects, staged_translations};

/// Translations of one piece. On SQLite every writer waits for it.
const PIECE: usize = 200;

/// Carries a real import out; the transaction is to be committed.
pub(super) async fn execute(cx: &mut RunContext<'_>, input: &ImportInput) -> Result<(Tx, Run), ServiceError> {
    look_for_approval(cx, [input.language.as_str()]).await?;
    for attempt in 0..RUN_ATTEMPTS {
        if attempt > 0 {
            cx.hold_turn().await?;
        }
        let mut tx = cx.begin(false).await?;
        let project = begin(&mut tx, cx, false).await?;
        // It may have been removed since the last attempt.
        of_project(&LanguageCode::new(&input.language), "language", &languages::list(&mut tx, &project.id).await?)?;
        let comparison = ImportComparison::begin(&mut tx, cx.parts.glossaries, &project, input).await?;
        let outcome = comparison.outcome(&mut tx).await?;
        tx.rollback().await?;
        match carry_out(cx, input, &comparison, outcome).await? {
            Some(done) => return Ok(done),
            None => tracing::info!("an import is compared anew, since its project has changed"),
        }
    }
    tracing::warn!("a large import is done in one transaction, since its project keeps changing");
    let mut tx = cx.begin(true).await?;
    let project = begin(&mut tx, cx, true).await?;
    let run = import(&mut tx, cx, &project, input).await?;
    Ok((tx, run))
}

/// Stages the outcome where it is much, and makes the import live; `None` when the project has changed meanwhile.
async fn carry_out(
    cx: &mut RunContext<'_>,
    input: &ImportInput,
    comparison: &ImportComparison<'_>,
    outcome: ImportResult<'_>,
) -> Result<Option<(Tx, Run)>, ServiceError> {
    if cx.parts.store.engine() != DatabaseKind::Sqlite || outcome.taken() <= ITEMS {
        return last(cx, input, comparison, outcome, None).await;
    }
    let token = TrackingToken::new(new_id(IdKind::TrackingToken, cx.now));
    let run = StagedRun { imports: true, ..StagedRun::new(token, cx.runner.project(), cx.now) };
    let guard = StagedRunGuard::of(cx.parts.store, &run);
    match stage(cx, &run, &outcome.rows(&input.language), &outcome.remembered()).await {
        Ok(true) => {}
        Ok(false) => {
            guard.discard().await;
            return Ok(None);
        }
        Err(error) => {
            guard.discard().await;
            return Err(error);
        }
    }
    // Beyond the last transaction, until all is in its place.
    cx.hold_turn().await?;
    let done = last(cx, input, comparison, outcome, Some(&run)).await;
    guard.end(matches!(done, Ok(Some(_)))).await;
    done
}

/// Stages the translations; `false` when the run was given up meanwhile.
async fn stage(
    cx: &RunContext<'_>,
    run: &StagedRun,
    rows: &[NewTranslation<'_>],
    remembered: &[bool],
) -> Result<bool, ServiceError> {
    let mut tx = cx.begin_piece().await?;
    staged_runs::insert(&mut tx, run).await?;
    tx.commit_piece().await?;
    for (rows, remembered) in rows.chunks(PIECE).zip(remembered.chunks(PIECE)) {
        let Some(mut tx) = begin_piece(cx, run).await? else { return Ok(false) };
        let (token, project) = (&run.tracking_token, &run.project_id);
        staged_translations::insert(&mut tx, token, project, rows, remembered, cx.now).await?;
        tx.commit_piece().await?;
    }
    Ok(true)
}

/// The last transaction of an import, which makes all of it live.
async fn last(
    cx: &RunContext<'_>,
    input: &ImportInput,
    comparison: &ImportComparison<'_>,
    outcome: ImportResult<'_>,
    staged: Option<&StagedRun>,
) -> Result<Option<(Tx, Run)>, ServiceError> {
    let mut tx = cx.begin(true).await?;
    let outcome = land(&mut tx, cx, input, comparison, outcome, staged).await;
    moving::settle(tx, cx, outcome, staged).await
}

async fn land(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    input: &ImportInput,
    comparison: &ImportComparison<'_>,
    outcome: ImportResult<'_>,
    staged: Option<&StagedRun>,
) -> Result<Option<Run>, ServiceError> {
    let project = begin(tx, cx, true).await?;
    if !comparison.are_still(tx, &project).await? {
        return Ok(None);
    }
    if let Some(approval) = cx.approval(tx, [input.language.as_str()]).await? {
        approval.use_up(tx, cx.runner.request(), cx.now).await?;
    }
    match staged {
        Some(run) => {
            let changes = ChangeTotals { changes: 0, moves: 0, archives: 0 };
            let whole = StagedTotals { keys: 0, changes, translations: &[], moves_later: true, with_job: false };
            if !staged_runs::go_live(tx, run, whole).await? {
                return Ok(None);
            }
            let changes = i64::try_from(outcome.taken()).unwrap_or(i64::MAX);
            projects::add_counts(tx, &project.id, 0, changes).await?;
        }
        None if !comparison.has_still(tx, &outcome).await? => return Ok(None),
        None => write(tx, cx, &project, &input.language, &outcome).await?,
    }
    describe(tx, cx, &project, outcome).await.map(Some)
}

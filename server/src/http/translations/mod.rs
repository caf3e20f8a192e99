//! Registering, pricing, translating and reading strings.

pub(super) mod get;
pub(super) mod sync;
pub(super) mod translate;

use l10n_api_types::translations::{Run, RunStatus};

use super::{Committed, Context, Reply, resource};
use crate::domain::{ServiceError, run};
use crate::store::Tx;

/// Commits a run and answers it: 202 when work was queued.
pub(in crate::http) async fn commit(cx: &Context, mut tx: Tx, run: Run) -> Result<Committed<Run>, ServiceError> {
    let placed = run::placed_hold(&mut tx, &run).await?;
    let job = run.tracking_token.clone().and_then(|token| resource("translation", token));
    if run.status != RunStatus::Queued {
        return cx.commit(tx, Reply::json(run), job).await;
    }
    let committed = cx.commit(tx, Reply::accepted(run), job).await;
    committed.map_err(|error| run::name_hold(error, placed))
}

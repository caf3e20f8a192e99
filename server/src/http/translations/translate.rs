//! `POST /projects/{projectId}/translate`.

use l10n_api_types::translations::{Run, Translate};

use super::commit;
use crate::domain::{ServiceError, run};
use crate::http::{Committed, Context, Request};

pub(crate) async fn handle(cx: Context, request: Request<Translate>) -> Result<Committed<Run>, ServiceError> {
    let dry_run = request.query.dry_run.unwrap_or(false);
    let Context { service, caller, .. } = &cx;
    let (tx, run) = run::translate(service.runs(), caller, request.body, dry_run).await?;
    commit(&cx, tx, run).await
}

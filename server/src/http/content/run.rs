//! `POST /projects/{projectId}/content/{docId}/run`.

use l10n_api_types::content::Run;
use l10n_api_types::translations;

use crate::domain::{ServiceError, content};
use crate::http::translations::commit;
use crate::http::{Committed, Context, Request};

pub(crate) async fn handle(cx: Context, request: Request<Run>) -> Result<Committed<translations::Run>, ServiceError> {
    let dry_run = request.body.dry_run.unwrap_or(false);
    let Context { service, caller, .. } = &cx;
    let mut tx = if dry_run { service.store.begin_read().await? } else { cx.begin_write().await? };
    let run = content::run(&mut tx, service.runs(), caller, &request.path.doc_id, &request.body, dry_run).await?;
    commit(&cx, tx, run).await
}

//! `GET /projects/{projectId}/pending-code-changes`.

use l10n_api_types::pending_code_changes::{CodeChanges, List};

use crate::domain::{ServiceError, code_changes};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<List>) -> Result<Reply<CodeChanges>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(code_changes::list(&mut tx, &cx.caller, &request.query).await?))
}

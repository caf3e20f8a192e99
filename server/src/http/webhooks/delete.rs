//! `DELETE /projects/{projectId}/webhooks/{webhookId}`.

use l10n_api_types::NoBody;
use l10n_api_types::webhooks::Delete;

use crate::domain::{ServiceError, webhooks};
use crate::http::{Committed, Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Delete>) -> Result<Committed<NoBody>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    webhooks::delete(&mut tx, cx.service.clock.as_ref(), &cx.caller, &request.path.webhook_id).await?;
    cx.commit(tx, Reply::empty(), resource("webhook", request.path.webhook_id)).await
}

//! `GET /projects/{projectId}/webhooks/{webhookId}/deliveries`.

use l10n_api_types::deliveries::{Deliveries, List};

use crate::domain::{ServiceError, deliveries, webhooks};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<List>) -> Result<Reply<Deliveries>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    let webhook = webhooks::find(&mut tx, &cx.caller.project, &request.path.webhook_id).await?;
    Ok(Reply::json(Deliveries { deliveries: deliveries::log(&mut tx, &webhook.id).await? }))
}

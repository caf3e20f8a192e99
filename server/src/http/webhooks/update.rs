//! `PATCH /projects/{projectId}/webhooks/{webhookId}`.

use l10n_api_types::webhooks::{Update, Webhook};

use crate::domain::ServiceError;
use crate::domain::webhooks::{self, WebhookChange};
use crate::http::{Committed, Context, Reply, Request, resource};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Update>) -> Result<Committed<Webhook>, ServiceError> {
    // Name servers are asked before a transaction is open.
    let change = WebhookChange::judge(&cx.service.egress, request.body).await?;
    let mut tx = cx.begin_write().await?;
    let id = &request.path.webhook_id;
    let Service { clock, deliveries_due, .. } = &*cx.service;
    let webhook = webhooks::update(&mut tx, clock.as_ref(), deliveries_due, &cx.caller, id, change).await?;
    cx.commit(tx, Reply::json(webhook), resource("webhook", id.clone())).await
}

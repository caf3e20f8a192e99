//! `POST /projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend`.

use l10n_api_types::deliveries::{Delivery, Resend};

use crate::domain::{ServiceError, deliveries, webhooks};
use crate::http::{Committed, Context, Reply, Request, resource};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Resend>) -> Result<Committed<Delivery>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let webhook = webhooks::find(&mut tx, &cx.caller, request.path.webhook_id.as_str()).await?;
    let id = request.path.delivery_id.as_str();
    let Service { delivery_rules: rules, deliveries_due: due, clock, .. } = &cx.service;
    let project = &cx.caller.project;
    let delivery = deliveries::resend(&mut tx, rules, due, clock.as_ref(), project, &webhook.id, id).await?;
    cx.commit(tx, Reply::json(delivery), resource("delivery", id)).await
}

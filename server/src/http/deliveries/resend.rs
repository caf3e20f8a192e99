//! `POST /projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend`.

use l10n_api_types::deliveries::{Delivery, Resend};

use crate::domain::deliveries::{self, Resender};
use crate::domain::{Actor, ServiceError, webhooks};
use crate::http::{Committed, Context, Reply, Request, resource};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Resend>) -> Result<Committed<Delivery>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let webhook = &request.path.webhook_id;
    webhooks::find(&mut tx, &cx.caller.project, webhook).await?;
    let id = request.path.delivery_id.as_str();
    let Service { delivery_rules: rules, deliveries_due: due, clock, .. } = &*cx.service;
    let by = Actor::Key { id: cx.caller.key.clone() };
    let resender = Resender { project: &cx.caller.project, workspace: &cx.caller.workspace, by: &by };
    let delivery = deliveries::resend(&mut tx, rules, due, clock.as_ref(), resender, webhook, id).await?;
    cx.commit(tx, Reply::json(delivery), resource("delivery", id)).await
}

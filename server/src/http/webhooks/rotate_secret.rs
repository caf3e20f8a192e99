//! `POST /projects/{projectId}/webhooks/{webhookId}/rotate-secret`.

use l10n_api_types::webhooks::{RotateSecret, Rotated};

use crate::domain::{ServiceError, webhooks};
use crate::http::{Committed, Context, Reply, Request, resource};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<RotateSecret>) -> Result<Committed<Rotated>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let id = &request.path.webhook_id;
    let Service { clock, vault, .. } = &*cx.service;
    let rotated = webhooks::rotate_secret(&mut tx, clock.as_ref(), vault, &cx.caller, id).await?;
    cx.commit(tx, Reply::json(rotated), resource("webhook", id.clone())).await
}

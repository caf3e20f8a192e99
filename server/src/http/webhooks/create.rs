//! `POST /projects/{projectId}/webhooks`.

use l10n_api_types::webhooks::{Create, Created};

use crate::domain::ServiceError;
use crate::domain::webhooks::{self, Registration};
use crate::http::{Committed, Context, Reply, Request, resource};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Committed<Created>, ServiceError> {
    // Name servers are asked before a transaction is open.
    let registration = Registration::judge(&cx.service.egress, request.body).await?;
    let mut tx = cx.begin_write().await?;
    let Service { clock, vault, .. } = &*cx.service;
    let created = webhooks::create(&mut tx, clock.as_ref(), vault, &cx.caller, registration).await?;
    let webhook = resource("webhook", created.webhook_id.clone());
    cx.commit(tx, Reply::json(created), webhook).await
}

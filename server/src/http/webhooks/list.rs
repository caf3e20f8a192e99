//! `GET /projects/{projectId}/webhooks`.

use l10n_api_types::webhooks::{List, Webhooks};

use crate::domain::{ServiceError, webhooks};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, _: Request<List>) -> Result<Reply<Webhooks>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(webhooks::list(&mut tx, &cx.caller.project, cx.service.clock.now()).await?))
}

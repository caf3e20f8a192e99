//! `POST /projects/{projectId}/publish`.

use l10n_api_types::publish::{Create, Published};

use crate::domain::{ServiceError, publish};
use crate::http::{Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Reply<Published>, ServiceError> {
    let mut tx = cx.service.store.begin_write().await?;
    let published = publish::create(&mut tx, &cx.service, &cx.caller, request.body).await?;
    let version = resource("version", published.version_id.clone());
    let reply = cx.commit(tx, Reply::json(published), version).await?;
    cx.service.deliveries_due.notify_one();
    Ok(reply)
}

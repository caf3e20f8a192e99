//! `POST /projects/{projectId}/versions/{versionId}/restore`.

use l10n_api_types::publish::Published;
use l10n_api_types::versions::Restore;

use crate::domain::{ServiceError, publish};
use crate::http::{Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Restore>) -> Result<Reply<Published>, ServiceError> {
    let (version, operation) = (request.path.version_id, request.body.operation_id);
    let mut tx = cx.service.store.begin_write().await?;
    let published = publish::restore(&mut tx, &cx.service, &cx.caller, &version, operation.as_ref()).await?;
    let reply = cx.commit(tx, Reply::json(published), resource("version", version)).await?;
    cx.service.deliveries_due.notify_one();
    Ok(reply)
}

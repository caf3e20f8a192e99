//! `GET /projects/{projectId}/requests/{requestId}`.

use l10n_api_types::requests::{Read, Receipt};

use crate::domain::{ServiceError, receipts};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Read>) -> Result<Reply<Receipt>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    let now = cx.service.clock.now();
    let kept = cx.service.settings.retention.receipts_days;
    Ok(Reply::json(receipts::read(&mut tx, &cx.caller, &request.path.request_id, kept, now).await?))
}

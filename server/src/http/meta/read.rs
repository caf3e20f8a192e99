//! `GET /projects/{projectId}/meta`.

use l10n_api_types::meta::{Meta, Read};

use crate::domain::{ServiceError, meta};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, _: Request<Read>) -> Result<Reply<Meta>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(meta::read(&mut tx, &cx.service, &cx.caller, cx.remaining_requests).await?))
}

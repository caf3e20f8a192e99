//! `GET /projects/{projectId}/versions`.

use l10n_api_types::versions::{List, Versions};

use crate::domain::{ServiceError, versions};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<List>) -> Result<Reply<Versions>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(versions::list(&mut tx, &cx.caller, &request.query).await?))
}

//! `GET /projects/{projectId}/memory`.

use l10n_api_types::memory::{MemoryMatches, Suggest};

use crate::domain::{ServiceError, memory};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Suggest>) -> Result<Reply<MemoryMatches>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(memory::matches(&mut tx, &cx.service.engines, &cx.caller, &request.query).await?))
}

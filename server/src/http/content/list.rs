//! `GET /projects/{projectId}/content`.

use l10n_api_types::content::{Documents, List};

use crate::domain::{ServiceError, content};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<List>) -> Result<Reply<Documents>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(content::list(&mut tx, &cx.caller, request.query).await?))
}

//! `GET /projects/{projectId}/content/{docId}`.

use l10n_api_types::content::{Document, Read};

use crate::domain::{ServiceError, content};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Read>) -> Result<Reply<Document>, ServiceError> {
    let id = request.path.doc_id.as_str();
    Ok(Reply::json(content::read(&cx.service.store, &cx.caller, id, &request.query).await?))
}

//! `POST /projects/{projectId}/content`.

use l10n_api_types::content::{Create, Document};

use crate::domain::{ServiceError, content};
use crate::http::{Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Reply<Document>, ServiceError> {
    let mut new = request.body;
    let parsed = content::parse(new.format, std::mem::take(&mut new.body)).await?;
    let mut tx = cx.service.store.begin_write().await?;
    let document = content::create(&mut tx, &cx.service, &cx.caller, new, &parsed).await?;
    let made = resource("document", document.doc_id.clone());
    cx.commit(tx, Reply::json(document), made).await
}

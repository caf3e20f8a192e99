//! `PUT /projects/{projectId}/content/{docId}`.

use l10n_api_types::content::{Document, Update};

use crate::domain::{ServiceError, content};
use crate::http::{Committed, Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Update>) -> Result<Committed<Document>, ServiceError> {
    let (id, update) = (request.path.doc_id, request.body);
    // Before the document is looked for: 400 comes before 404.
    let names = content::names(update.title, update.external_id)?;
    let mut tx = cx.service.store.begin_read().await?;
    let format = content::format_of(&mut tx, &cx.caller, id.as_str()).await?;
    tx.rollback().await?;
    let parsed = content::parse(format, update.body).await?;
    let mut tx = cx.begin_write().await?;
    let expected = update.if_version_id.as_ref();
    let document =
        content::update(&mut tx, cx.service.pushes(), &cx.caller, id.as_str(), names, expected, &parsed).await?;
    cx.commit(tx, Reply::json(document), resource("document", id)).await
}

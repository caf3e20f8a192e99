//! `POST /projects/{projectId}/content`.

use l10n_api_types::content::{Create, DocumentsPushed, NewDocument, PushAnswer};

use crate::domain::content::DocumentPush;
use crate::domain::{ServiceError, content};
use crate::http::{Committed, Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Committed<PushAnswer>, ServiceError> {
    match DocumentPush::read(request.body)? {
        DocumentPush::One(document) => one(cx, document).await,
        DocumentPush::Many(documents) => many(cx, documents).await,
    }
}

async fn one(cx: Context, mut new: NewDocument) -> Result<Committed<PushAnswer>, ServiceError> {
    let parsed = content::parse(new.format, std::mem::take(&mut new.body)).await?;
    let mut tx = cx.begin_write().await?;
    let document = content::create(&mut tx, cx.service.pushes(), &cx.caller, new, &parsed).await?;
    let made = resource("document", document.doc_id.clone());
    cx.commit(tx, Reply::json(PushAnswer::Document(document)), made).await
}

async fn many(cx: Context, documents: Vec<NewDocument>) -> Result<Committed<PushAnswer>, ServiceError> {
    let read = content::read_batch(documents).await?;
    let mut tx = cx.begin_write().await?;
    let results = content::push_batch(&mut tx, cx.service.pushes(), &cx.caller, read).await?;
    let answer = DocumentsPushed { request_id: cx.caller.request.clone(), results };
    cx.commit(tx, Reply::ok(PushAnswer::Batch(answer)), None).await
}

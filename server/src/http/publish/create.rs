//! `POST /projects/{projectId}/publish`.

use l10n_api_types::publish::{Create, Publish, PublishAnswer, PublishTarget};

use crate::domain::{ServiceError, content, publish};
use crate::http::{Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Reply<PublishAnswer>, ServiceError> {
    let reply = match request.body.target.unwrap_or(PublishTarget::Strings) {
        PublishTarget::Strings => of_strings(&cx, request.body).await?,
        PublishTarget::Content => of_content(&cx, &request.body).await?,
    };
    cx.service.deliveries_due.of_project(cx.caller.project.as_str());
    Ok(reply)
}

async fn of_strings(cx: &Context, body: Publish) -> Result<Reply<PublishAnswer>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let published = publish::create(&mut tx, &cx.service, &cx.caller, body).await?;
    let version = resource("version", published.version_id.clone());
    cx.commit(tx, Reply::json(PublishAnswer::Strings(published)), version).await
}

async fn of_content(cx: &Context, body: &Publish) -> Result<Reply<PublishAnswer>, ServiceError> {
    let ahead = content::ahead(&cx.service, &cx.caller, body).await?;
    let mut tx = cx.begin_write().await?;
    let published = content::publish(&mut tx, &cx.service, &cx.caller, body, ahead).await?;
    let publish = resource("publish", published.publish_id.clone());
    cx.commit(tx, Reply::json(PublishAnswer::Content(published)), publish).await
}

//! `POST /projects/{projectId}/publish`.

use l10n_api_types::publish::{Create, Publish, PublishAnswer, PublishTarget};

use crate::domain::{ServiceError, content, publish};
use crate::http::{Committed, Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Committed<PublishAnswer>, ServiceError> {
    match request.body.target.unwrap_or(PublishTarget::Strings) {
        PublishTarget::Strings => of_strings(&cx, &request.body).await,
        PublishTarget::Content => of_content(&cx, &request.body).await,
    }
}

async fn of_strings(cx: &Context, body: &Publish) -> Result<Committed<PublishAnswer>, ServiceError> {
    let begin: &publish::Begin<'_, ServiceError> = &|| Box::pin(async { Ok(cx.begin_write().await?) });
    let landing = publish::carried_out(cx.service.publishing(), &cx.caller, body, begin).await?;
    let version = resource("version", landing.published.version_id.clone());
    cx.commit(landing.tx, Reply::json(PublishAnswer::Strings(landing.published)), version).await
}

async fn of_content(cx: &Context, body: &Publish) -> Result<Committed<PublishAnswer>, ServiceError> {
    let (parts, caller) = (cx.service.publishing(), &cx.caller);
    let _turn = publish::turn(parts, caller).await?;
    let ahead = content::ahead(parts, caller, body).await?;
    let mut tx = cx.begin_write().await?;
    let published = content::publish(&mut tx, parts, caller, body, ahead).await?;
    let publish = resource("publish", published.publish_id.clone());
    cx.commit(tx, Reply::json(PublishAnswer::Content(published)), publish).await
}

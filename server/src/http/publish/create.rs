//! `POST /projects/{projectId}/publish`.

use l10n_api_types::publish::{Create, Publish, PublishAnswer, PublishTarget, Published};

use crate::domain::{ServiceError, content, publish};
use crate::http::{Committed, Context, Reply, Request, resource};
use crate::store::Tx;

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Committed<PublishAnswer>, ServiceError> {
    match request.body.target.unwrap_or(PublishTarget::Strings) {
        PublishTarget::Strings => of_strings(&cx, &request.body).await,
        PublishTarget::Content => of_content(&cx, &request.body).await,
    }
}

/// Number of attempts to render a publish ahead, if others of the same project are quicker each time. After them it
/// holds the project.
const TRIES: usize = 4;

async fn of_strings(cx: &Context, body: &Publish) -> Result<Committed<PublishAnswer>, ServiceError> {
    let (parts, caller) = (cx.service.publishing(), &cx.caller);
    let _turn = publish::turn(parts, caller).await?;
    for _ in 0..TRIES {
        let ahead = publish::ahead(parts, caller, body).await?;
        let mut tx = cx.begin_write().await?;
        if let Some(published) = publish::create(&mut tx, parts, caller, body, &ahead).await? {
            return landed(cx, tx, published).await;
        }
        tx.rollback().await?;
    }
    let mut tx = cx.begin_write().await?;
    let published = publish::create_locked(&mut tx, parts, caller, body).await?;
    landed(cx, tx, published).await
}

async fn landed(cx: &Context, tx: Tx, published: Published) -> Result<Committed<PublishAnswer>, ServiceError> {
    let version = resource("version", published.version_id.clone());
    cx.commit(tx, Reply::json(PublishAnswer::Strings(published)), version).await
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

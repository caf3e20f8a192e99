//! `GET /projects/resolve`.

use l10n_api_types::projects::{Project, Resolve};

use crate::domain::{ServiceError, projects};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Resolve>) -> Result<Reply<Project>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(projects::resolve(&mut tx, &cx.caller, &request.query).await?))
}

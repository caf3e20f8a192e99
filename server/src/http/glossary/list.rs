//! `GET /projects/{projectId}/glossary`.

use l10n_api_types::glossary::{Glossary, List};

use crate::domain::{ServiceError, glossary};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<List>) -> Result<Reply<Glossary>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    Ok(Reply::json(glossary::list(&mut tx, &cx.caller, &request.query).await?))
}

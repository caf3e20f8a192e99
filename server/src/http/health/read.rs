//! `GET /health`.

use l10n_api_types::health::{Health, Read};

use crate::domain::ServiceError;
use crate::http::{PublicContext, Reply, Request};

pub(crate) async fn handle(cx: PublicContext, _: Request<Read>) -> Result<Reply<Health>, ServiceError> {
    cx.service.store.ping().await?;
    Ok(Reply::json(Health { status: "ok".into(), version: env!("CARGO_PKG_VERSION").into() }))
}

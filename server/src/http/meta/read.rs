//! `GET /projects/{projectId}/meta`.

use l10n_api_types::meta::{Meta, Read};

use crate::domain::meta::ServerMeta;
use crate::domain::{ServiceError, meta};
use crate::http::{Context, Reply, Request};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, _: Request<Read>) -> Result<Reply<Meta>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    let Service { settings, engines, clock, .. } = &*cx.service;
    let server = ServerMeta { settings, engines, now: clock.now() };
    Ok(Reply::json(meta::read(&mut tx, server, &cx.caller, cx.remaining_requests).await?))
}

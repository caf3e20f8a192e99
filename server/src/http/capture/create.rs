//! `POST /projects/{projectId}/capture`.

use l10n_api_types::capture::{Captured, Create};

use crate::domain::{ServiceError, capture};
use crate::http::{Committed, Context, Reply, Request};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Committed<Captured>, ServiceError> {
    let seen = capture::read(request.body.keys)?;
    let mut tx = cx.begin_write().await?;
    let Service { clock, settings, .. } = &*cx.service;
    let captured = capture::create(&mut tx, clock.as_ref(), &settings.limits, &cx.caller, &seen).await?;
    cx.commit(tx, Reply::json(captured), None).await
}

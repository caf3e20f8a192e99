//! `POST /projects/{projectId}/languages`.

use l10n_api_types::languages::{Add, AddedLanguages};

use crate::domain::{ServiceError, languages};
use crate::http::{Committed, Context, Reply, Request};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Add>) -> Result<Committed<AddedLanguages>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let Service { clock, settings, .. } = &cx.service;
    let added = languages::add(&mut tx, clock.as_ref(), settings, &cx.caller, &request.body).await?;
    cx.commit(tx, Reply::json(added), None).await
}

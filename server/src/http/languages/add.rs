//! `POST /projects/{projectId}/languages`.

use l10n_api_types::languages::{Add, AddedLanguages};

use crate::domain::{Actor, ProjectChange, ServiceError, languages};
use crate::http::{Committed, Context, Reply, Request};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Add>) -> Result<Committed<AddedLanguages>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let Service { clock, settings, .. } = &*cx.service;
    let by = Actor::Key { id: cx.caller.key.clone() };
    let (project, workspace) = (&cx.caller.project, &cx.caller.workspace);
    let change = ProjectChange { clock: clock.as_ref(), settings, project, workspace, by: &by };
    let added = languages::add(&mut tx, change, &request.body).await?;
    cx.commit(tx, Reply::json(added), None).await
}

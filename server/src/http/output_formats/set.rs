//! `POST /projects/{projectId}/output-formats`.

use l10n_api_types::output_formats::{OutputFormatsSet, Set};

use crate::domain::{Actor, ProjectChange, ServiceError, output_formats};
use crate::http::{Committed, Context, Reply, Request};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Set>) -> Result<Committed<OutputFormatsSet>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let Service { clock, settings, .. } = &*cx.service;
    let by = Actor::Key { id: cx.caller.key.clone() };
    let (project, workspace) = (&cx.caller.project, &cx.caller.workspace);
    let change = ProjectChange { clock: clock.as_ref(), settings, project, workspace, by: &by };
    let set = output_formats::set(&mut tx, change, &request.body).await?;
    cx.commit(tx, Reply::json(set), None).await
}

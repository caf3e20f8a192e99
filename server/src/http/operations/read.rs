//! `GET /projects/{projectId}/operations/{operationId}`.

use l10n_api_types::operations::{Operation, Read};

use crate::domain::{ServiceError, long_poll, operations};
use crate::http::{Context, Reply, Request};
use crate::service::Service;

pub(crate) async fn handle(cx: Context, request: Request<Read>) -> Result<Reply<Operation>, ServiceError> {
    let longest = long_poll::wait_time(request.query.wait_seconds)?;
    let Service { clock, settings, operation_decided, .. } = &*cx.service;
    let parts = cx.service.poll(operation_decided);
    let operation =
        operations::wait(parts, clock.as_ref(), settings, &cx.caller, &request.path.operation_id, longest).await?;
    Ok(Reply::json(operation))
}

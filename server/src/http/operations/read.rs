//! `GET /projects/{projectId}/operations/{operationId}`.

use l10n_api_types::operations::{Operation, Read};

use crate::domain::{ServiceError, long_poll, operations};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Read>) -> Result<Reply<Operation>, ServiceError> {
    let longest = long_poll::wait_time(request.query.wait_seconds)?;
    let operation = operations::wait(&cx.service, &cx.caller, &request.path.operation_id, longest).await?;
    Ok(Reply::json(operation))
}

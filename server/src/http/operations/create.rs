//! `POST /projects/{projectId}/operations`.

use l10n_api_types::operations::{Create, Operation};

use crate::domain::{ServiceError, operations};
use crate::http::{Committed, Context, Reply, Request, resource};

pub(crate) async fn handle(cx: Context, request: Request<Create>) -> Result<Committed<Operation>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let operation =
        operations::create(&mut tx, cx.service.clock.as_ref(), &cx.service.settings, &cx.caller, request.body).await?;
    let resource = resource("operation", operation.operation_id.clone());
    cx.commit(tx, Reply::json(operation), resource).await
}

//! `GET /projects/{projectId}/unpublished-changes`.

use l10n_api_types::unpublished_changes::{List, UnpublishedChanges};

use crate::domain::{ServiceError, unpublished_changes};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<List>) -> Result<Reply<UnpublishedChanges>, ServiceError> {
    Ok(Reply::json(unpublished_changes::list(cx.service.publishing(), &cx.caller, &request.query).await?))
}

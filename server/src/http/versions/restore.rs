//! `POST /projects/{projectId}/versions/{versionId}/restore`.

use l10n_api_types::publish::PublishAnswer;
use l10n_api_types::versions::Restore;

use crate::domain::{ServiceError, content, publish};
use crate::http::{Committed, Context, Reply, Request, resource};
use crate::ids::IdKind;

pub(crate) async fn handle(cx: Context, request: Request<Restore>) -> Result<Committed<PublishAnswer>, ServiceError> {
    let (version, operation) = (request.path.version_id, request.body.operation_id);
    let mut tx = cx.begin_write().await?;
    let (parts, caller, operation) = (cx.service.publishing(), &cx.caller, operation.as_ref());
    let answer = if version.as_str().starts_with(IdKind::DocumentVersion.prefix()) {
        PublishAnswer::Content(content::restore(&mut tx, parts, caller, &version, operation).await?)
    } else {
        PublishAnswer::Strings(publish::restore(&mut tx, parts, caller, &version, operation).await?)
    };
    cx.commit(tx, Reply::json(answer), resource("version", version)).await
}

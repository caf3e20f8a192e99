//! `GET /@{handle}/{slug}/bundles/{versionId}/{path}`.

use l10n_api_types::delivery::{FileBytes, NamedBundle};

use super::answer;
use crate::domain::ServiceError;
use crate::domain::delivery::ProjectAddress;
use crate::http::{PublicContext, Reply, Request};

pub(crate) async fn handle(cx: PublicContext, request: Request<NamedBundle>) -> Result<Reply<FileBytes>, ServiceError> {
    let project = ProjectAddress::Names { handle: request.path.handle, slug: request.path.slug };
    answer::bundle(&cx, &request.headers, project, &request.path.version_id, &request.path.path).await
}

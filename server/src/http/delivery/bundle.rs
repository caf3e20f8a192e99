//! `GET /projects/{projectId}/bundles/{versionId}/{path}`.

use l10n_api_types::delivery::{Bundle, FileBytes};

use super::answer;
use crate::domain::ServiceError;
use crate::domain::delivery::ProjectAddress;
use crate::http::{PublicContext, Reply, Request};

pub(crate) async fn handle(cx: PublicContext, request: Request<Bundle>) -> Result<Reply<FileBytes>, ServiceError> {
    let project = ProjectAddress::Id(request.path.project_id);
    answer::bundle(&cx, &request.headers, project, &request.path.version_id, &request.path.path).await
}

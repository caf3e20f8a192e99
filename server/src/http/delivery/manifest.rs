//! `GET /projects/{projectId}/manifest`.

use l10n_api_types::delivery::{Manifest, ManifestBody};

use super::answer;
use crate::domain::ServiceError;
use crate::domain::delivery::ProjectAddress;
use crate::http::{PublicContext, Reply, Request};

pub(crate) async fn handle(cx: PublicContext, request: Request<Manifest>) -> Result<Reply<ManifestBody>, ServiceError> {
    let project = ProjectAddress::Id(request.path.project_id);
    answer::manifest(&cx, &request.headers, project).await
}

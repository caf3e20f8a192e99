//! `GET /@{handle}/{slug}/manifest`.

use l10n_api_types::delivery::{ManifestBody, NamedManifest};

use super::answer;
use crate::domain::ServiceError;
use crate::domain::delivery::ProjectAddress;
use crate::http::{PublicContext, Reply, Request};

pub(crate) async fn handle(
    cx: PublicContext,
    request: Request<NamedManifest>,
) -> Result<Reply<ManifestBody>, ServiceError> {
    let project = ProjectAddress::Names { handle: request.path.handle, slug: request.path.slug };
    answer::manifest(&cx, &request.headers, project).await
}

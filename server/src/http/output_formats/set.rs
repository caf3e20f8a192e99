//! `POST /projects/{projectId}/output-formats`.

use l10n_api_types::output_formats::{OutputFormatsSet, Set};

use crate::domain::{ServiceError, output_formats};
use crate::http::{Committed, Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Set>) -> Result<Committed<OutputFormatsSet>, ServiceError> {
    let mut tx = cx.begin_write().await?;
    let set = output_formats::set(&mut tx, cx.service.clock.as_ref(), &cx.caller, &request.body).await?;
    cx.commit(tx, Reply::json(set), None).await
}

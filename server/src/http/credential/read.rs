//! `GET /projects/{projectId}/credential`.

use l10n_api_types::credential::{Credential, Read};

use crate::domain::{ServiceError, auth};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, _: Request<Read>) -> Result<Reply<Credential>, ServiceError> {
    Ok(Reply::json(auth::credential(&cx.caller)))
}

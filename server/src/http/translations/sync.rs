//! `POST /projects/{projectId}/sync`.

use l10n_api_types::translations::{Run, Sync, SyncBody};

use super::commit;
use crate::domain::run::{self, SyncRequest};
use crate::domain::{ServiceError, run::file};
use crate::http::{Committed, Context, Request};

pub(crate) async fn handle(cx: Context, request: Request<Sync>) -> Result<Committed<Run>, ServiceError> {
    let dry_run = request.query.dry_run.unwrap_or(false);
    let SyncBody { file, language, languages, on_removed, retranslate, operation_id } = request.body;
    // A large file takes milliseconds of computing: no other request waits for it, and no transaction is open yet.
    let written_in = language.clone();
    let read = tokio::task::spawn_blocking(move || file::read(file, written_in.as_ref()));
    let file = read.await.map_err(ServiceError::internal)??;
    let request = SyncRequest { file, language, languages, on_removed, retranslate, operation_id };
    let Context { service, caller, .. } = &cx;
    let (tx, run) = run::sync(service.runs(), caller, request, dry_run).await?;
    commit(&cx, tx, run).await
}

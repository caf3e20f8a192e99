//! `POST /projects/{projectId}/memory/import`.

use l10n_api_types::memory::{Import, MemoryImport};

use crate::domain::{ServiceError, memory};
use crate::http::{Committed, Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Import>) -> Result<Committed<MemoryImport>, ServiceError> {
    // A large file takes milliseconds of computing: no other request waits for it, and no transaction is open yet.
    let read = tokio::task::spawn_blocking(move || memory::read_tmx(request.body));
    let units = read.await.map_err(ServiceError::internal)??;
    let mut tx = cx.service.store.begin_read().await?;
    let target = memory::ImportTarget::find(&mut tx, &cx.caller.project).await?;
    tx.rollback().await?;
    let checked = target.check(&cx.service.engines, &units);
    let mut tx = cx.begin_write().await?;
    let now = cx.service.clock.now();
    let imported = memory::import(&mut tx, &cx.caller.project, checked, now).await?;
    cx.commit(tx, Reply::json(imported), None).await
}

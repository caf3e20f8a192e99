//! `POST /projects/{projectId}/translate`.

use l10n_api_types::translations::{Run, Translate, TranslateBody};

use super::answer;
use crate::domain::{ServiceError, run};
use crate::http::{Context, Reply, Request};

pub(crate) async fn handle(cx: Context, request: Request<Translate>) -> Result<Reply<Run>, ServiceError> {
    let dry_run = request.query.dry_run.unwrap_or(false);
    let run = translate(&cx, request.body, dry_run).await.map_err(run::again_from_sources)?;
    Ok(answer(&cx, run))
}

async fn translate(cx: &Context, body: TranslateBody, dry_run: bool) -> Result<Run, ServiceError> {
    let Context { service, caller, .. } = cx;
    let mut tx = if dry_run { service.store.begin_read().await? } else { service.store.begin_write().await? };
    let run = run::translate(&mut tx, service, caller, body, dry_run).await?;
    tx.commit().await?;
    Ok(run)
}

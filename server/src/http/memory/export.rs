//! `GET /projects/{projectId}/memory/export`.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, future, stream};
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, X_CONTENT_TYPE_OPTIONS};
use l10n_api_types::memory::{Export, TmxFile};
use l10n_api_types::{Endpoint as _, WorkspaceId};

use crate::domain::{ServiceError, memory};
use crate::http::{Context, Reply, Request};
use crate::service::Service;

/// A file on its way.
struct ExportStream {
    service: Arc<Service>,
    workspace: WorkspaceId,
    export: memory::Export,
}

pub(crate) async fn handle(cx: Context, _: Request<Export>) -> Result<Reply<TmxFile>, ServiceError> {
    let mut tx = cx.service.store.begin_read().await?;
    let export = memory::Export::begin(&mut tx, &cx.service.engines, &cx.caller).await?;
    tx.rollback().await?;
    let workspace = cx.caller.workspace.clone();
    let mut outgoing = ExportStream { service: cx.service, workspace, export };
    // What fails at once is answered with its status.
    let first = outgoing.next().await?.unwrap_or_default();
    let others = stream::try_unfold(outgoing, async |mut outgoing: ExportStream| {
        let next = outgoing.next().await;
        let next = next.inspect_err(|error| tracing::warn!(?error, "an export of memory ends before its end"))?;
        Ok::<_, ServiceError>(next.map(|part| (part, outgoing)))
    });
    let body = Body::from_stream(stream::once(future::ready(Ok(first))).chain(others));
    let name = HeaderValue::from_static("attachment; filename=\"memory.tmx\"");
    Ok(Reply::stream(HeaderValue::from_static(Export::MEDIA_TYPE), body)
        .header(CONTENT_DISPOSITION, name)
        .header(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
}

impl ExportStream {
    /// The next part of the file. Reading one is work as a large request is, and has a turn like one; sending it has none.
    async fn next(&mut self) -> Result<Option<Bytes>, ServiceError> {
        let Service { store, turns, .. } = &*self.service;
        let busy = || ServiceError::Busy("the server is busy: try again in a moment".to_owned());
        let _turn = turns.take(&self.workspace).await.ok_or_else(busy)?;
        let mut tx = store.begin_read().await?;
        let part = self.export.next(&mut tx).await?;
        tx.rollback().await?;
        Ok(part.map(Bytes::from))
    }
}

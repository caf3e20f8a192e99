//! `GET /projects/{projectId}/memory/export`.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, future, stream};
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, X_CONTENT_TYPE_OPTIONS};
use l10n_api_types::memory::{Export, TmxFile};
use l10n_api_types::{Endpoint as _, EndpointInfo, WorkspaceId};

use crate::byte_budget::LARGE_ANSWER;
use crate::domain::{ServiceError, memory};
use crate::http::{Context, Reply, Request, rerun};
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
    /// The next part of the file. A large one counts with the large answers of its workspace until it is sent. One that finds no
    /// room is read again once there is some: nothing is in memory while it waits.
    async fn next(&mut self) -> Result<Option<Bytes>, ServiceError> {
        let place = self.export.place();
        let Some(part) = self.read().await? else { return Ok(None) };
        let (bytes, workspace) = (part.len(), self.workspace.clone());
        if bytes <= LARGE_ANSWER {
            return Ok(Some(part.into()));
        }
        if let Some(room) = self.service.unsent.take_free(workspace.clone(), bytes) {
            return Ok(Some(room.owning(part.into_bytes())));
        }
        drop(part);
        self.export.go_back(place);
        let room = self.service.unsent.take(workspace, bytes).await;
        let room = room.ok_or_else(|| rerun::unsent(EndpointInfo::of::<Export>()))?;
        Ok(self.read().await?.map(|part| room.owning(part.into_bytes())))
    }

    /// Reads the next part. That is work as a large request is, and has a turn like one; sending it has none.
    async fn read(&mut self) -> Result<Option<String>, ServiceError> {
        let Service { store, turns, .. } = &*self.service;
        let busy = || ServiceError::Busy("the server is busy: try again in a moment".to_owned());
        let _turn = turns.take(&self.workspace).await.ok_or_else(busy)?;
        let mut tx = store.begin_read().await?;
        let part = self.export.next(&mut tx).await?;
        tx.rollback().await?;
        Ok(part)
    }
}

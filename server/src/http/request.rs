//! The input of a handler.

use std::sync::Arc;

use http::HeaderMap;
use l10n_api_types::Endpoint;
use l10n_api_types::requests::Resource;
use serde::Serialize;

use super::Reply;
use crate::domain::receipts::Write;
use crate::domain::{Caller, ServiceError};
use crate::service::Service;
use crate::store::{StoreError, Tx};

/// Around a request of a route that needs a key.
#[derive(Clone)]
pub(crate) struct Context {
    /// The parts of the server.
    pub(crate) service: Arc<Service>,
    /// The key, proven to be of the project and to have the scope.
    pub(crate) caller: Caller,
    /// Requests that the project's present window still takes.
    pub(crate) remaining_requests: u32,
    /// The receipt, where this is a write.
    pub(super) write: Option<Arc<Write>>,
    /// Status codes of the endpoint's success, the usual one first.
    pub(super) success: &'static [u16],
}

impl Context {
    /// Begins the transaction of a write, when it is the project's turn.
    pub(crate) async fn begin_write(&self) -> Result<Tx, StoreError> {
        let Caller { workspace, project, .. } = &self.caller;
        self.service.store.begin_write_in(workspace, project).await
    }

    /// Commits what a write has done, together with its receipt and with the answer for who asks again. `resource` is the
    /// one thing that it made or changed.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails; nothing is written then, unless the answer to the commit is lost.
    pub(crate) async fn commit<T: Serialize>(
        &self,
        mut tx: Tx,
        reply: Reply<T>,
        resource: Option<Resource>,
    ) -> Result<Committed<T>, ServiceError> {
        let Some(write) = &self.write else {
            // A preview, which has no receipt and whose transaction wrote nothing.
            tx.commit().await?;
            return Ok(Committed(reply));
        };
        let kept = if write.is_replayable() { reply.body_bytes()? } else { Vec::new() };
        write.land(&mut tx, reply.status(self.success), resource.as_ref(), &kept).await?;
        tx.commit().await?;
        Ok(Committed(reply))
    }
}

/// The answer of a write. [`Context::commit`] alone makes it, so that no write is answered whose receipt was not committed
/// with it.
#[derive(Debug)]
pub(crate) struct Committed<T>(Reply<T>);

impl<T> From<Committed<T>> for Reply<T> {
    fn from(Committed(reply): Committed<T>) -> Self {
        reply
    }
}

/// The resource that a write made or changed, for its receipt.
pub(crate) fn resource(kind: &str, id: impl Into<String>) -> Option<Resource> {
    Some(Resource { kind: kind.to_owned(), id: id.into() })
}

/// Around a request of a public route.
#[derive(Clone)]
pub(crate) struct PublicContext {
    /// The parts of the server.
    pub(crate) service: Arc<Service>,
}

/// A request that has passed every check that does not need the store.
pub(crate) struct Request<E: Endpoint> {
    /// Values of the path.
    pub(crate) path: E::Path,
    /// Query parameters.
    pub(crate) query: E::Query,
    /// Body.
    pub(crate) body: E::Body,
    /// Headers, for conditional requests.
    pub(crate) headers: HeaderMap,
}

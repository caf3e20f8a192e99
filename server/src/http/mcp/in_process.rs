//! The way of an agent's calls to the API: the server's own router, in this process.

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt as _;
use l10n_client::{Transport, TransportAnswer};
use tower::ServiceExt as _;

use crate::http::client_address::ClientAddress;

/// Calls of one request of an agent.
///
/// A connection to the server's own listener would count against the limits of connections, once more for each request, and
/// would come from this machine's address. A call of the rules beneath the router would pass by the key, the scopes, the
/// budgets, the receipts and the log. The router has all of these, and needs no connection.
pub(super) struct InProcess {
    pub(super) api: Router,
    /// The agent's address, which its calls come from as well.
    pub(super) client: Option<ClientAddress>,
}

impl Transport for InProcess {
    fn send(&self, request: Request<Bytes>) -> TransportAnswer {
        let (api, mut request) = (self.api.clone(), request.map(Body::from));
        if let Some(client) = self.client {
            request.extensions_mut().insert(client);
        }
        Box::pin(async move {
            let answer = api.oneshot(request).await?;
            Ok(answer.map(|body| body.map_err(Into::into).boxed_unsync()))
        })
    }
}

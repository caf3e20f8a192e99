//! The way of an agent's calls to the API: the server's own entry, in this process.

use axum::body::Body;
use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt as _;
use l10n_client::{Transport, TransportAnswer};

use crate::http::client_address::ClientAddress;
use crate::http::correlation::{Entry, Origin};

/// Calls of one request of an agent.
///
/// A connection to the server's own listener would count against the limits of connections, once more for each request, and
/// would come from this machine's address. A call of the rules beneath the entry would pass by the key, the scopes, the
/// budgets, the receipts and the log. The entry has all of these, and needs no connection.
pub(super) struct InProcess {
    pub(super) api: Entry,
    /// The agent's address, which its calls come from as well.
    pub(super) client: Option<ClientAddress>,
}

impl Transport for InProcess {
    fn send(&self, request: Request<Bytes>) -> TransportAnswer {
        let (api, client) = (self.api.clone(), self.client);
        Box::pin(async move {
            let answer = api.answer(request.map(Body::from), Origin::Process(client)).await;
            Ok(answer.map(|body| body.map_err(Into::into).boxed_unsync()))
        })
    }
}

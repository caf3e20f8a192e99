//! What a handler is given.

use http::HeaderMap;
use l10n_api_types::Endpoint;

use crate::domain::Caller;
use crate::service::Service;

/// Around a request of a route that needs a key.
#[derive(Clone)]
pub(crate) struct Context {
    /// The parts of the server.
    pub(crate) service: Service,
    /// The key, proven to be of the project and to have the scope.
    pub(crate) caller: Caller,
    /// Requests that the project's present window still takes.
    pub(crate) remaining_requests: u32,
}

/// Around a request of a public route.
#[derive(Clone)]
pub(crate) struct PublicContext {
    /// The parts of the server.
    pub(crate) service: Service,
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

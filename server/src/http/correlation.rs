//! The entry of every request: every response carries one `x-correlation-id` (§4), also that of a handler that panicked.

use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::header::{CONNECTION, CONTENT_LENGTH};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use l10n_api_types::{CORRELATION_ID_HEADER, RequestId};
use tower::{Service, ServiceExt as _};

use super::access_log::{AccessLogEntry, Route};
use super::client_address::{ClientAddress, Peer};
use super::endpoints::{Answered, ServedEndpoint};
use super::pipeline::IncomingRequest;
use super::serve::RefusedRequest;
use super::{Endpoints, Gate, cors, dashboard, error, path};
use crate::domain::ServiceError;
use crate::ids::{IdKind, new_id};

const HEADER: HeaderName = HeaderName::from_static(CORRELATION_ID_HEADER);

/// Finds the client of a request, names the exchange, runs it, writes its line into the access log and the name into its
/// response. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Entry(Arc<EntryParts>);

struct EntryParts {
    gate: Gate,
    endpoints: Endpoints,
    /// Everything but the API.
    others: Router,
}

/// The way on which a request came.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// Over a connection, which may know a reason not to run it.
    Connection(Peer, Option<RefusedRequest>),
    /// From within the process, for a client.
    Process(Option<ClientAddress>),
}

impl Entry {
    /// An entry to the endpoints, and to other routes.
    pub(super) fn new(gate: Gate, endpoints: Endpoints, others: Router) -> Self {
        Self(Arc::new(EntryParts { gate, endpoints, others }))
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: Request, origin: Origin) -> Response {
        let EntryParts { gate, endpoints, others } = &*self.0;
        let service = &gate.service;
        let (client, refused) = match origin {
            Origin::Connection(peer, refused) => {
                (Some(peer.client(request.headers(), &service.settings.http.trusted_proxies)), refused)
            }
            Origin::Process(client) => (client, None),
        };
        let id = own(request.headers()).unwrap_or_else(|| RequestId::new(new_id(IdKind::Request, service.clock.now())));
        let line = AccessLogEntry::begin(request.method(), client);
        let found = endpoints.find(request.method(), request.uri().path()).filter(|_| refused.is_none());
        let ((mut response, mut route), is_open) = match found {
            Some(endpoint) => (of_endpoint(endpoint, gate, request, &id, client).await, endpoint.is_open()),
            None => Box::pin(of_others(others, request, refused, &id, client)).await,
        };
        if route.as_ref().map_or(is_open, |route| route.is_open) {
            cors::allow(response.headers_mut());
        }
        // A write whose name was taken has got another one.
        let id = route.as_mut().and_then(|route| route.request.take()).unwrap_or(id);
        line.end(response.status(), route.as_ref(), &id);
        if let Ok(value) = HeaderValue::try_from(String::from(id)) {
            response.headers_mut().insert(HEADER, value);
        }
        response
    }
}

async fn of_endpoint(
    endpoint: &dyn ServedEndpoint,
    gate: &Gate,
    request: Request,
    id: &RequestId,
    client: Option<ClientAddress>,
) -> Answered {
    let is_head = request.method() == Method::HEAD;
    let arrived = IncomingRequest::new(request, id.clone(), client);
    let answered = AssertUnwindSafe(endpoint.answer(gate, arrived)).catch_unwind().await;
    let (mut response, route) = answered.unwrap_or_else(|panic| (error::respond(&panicked(panic.as_ref()), id), None));
    // The HTTP library tells the length of what it sends, and here it sends nothing.
    if is_head {
        let length = http_body::Body::size_hint(response.body()).exact();
        if let Some(length) = length.filter(|_| !response.headers().contains_key(CONTENT_LENGTH)) {
            response.headers_mut().insert(CONTENT_LENGTH, length.into());
        }
        *response.body_mut() = Body::empty();
    }
    (response, route)
}

/// The answer of another route, or of none, and whether pages of other origins may read it.
async fn of_others(
    others: &Router,
    mut request: Request,
    refused: Option<RefusedRequest>,
    id: &RequestId,
    client: Option<ClientAddress>,
) -> (Answered, bool) {
    let uri = request.uri().clone();
    let respond = if dashboard::is_under(uri.path()) { dashboard::error_page } else { error::respond };
    let answered = match refused {
        Some(refused) => Ok(Ok(close(respond(&refused.error(), id)))),
        None => {
            let extensions = request.extensions_mut();
            extensions.insert(id.clone());
            if let Some(client) = client {
                extensions.insert(client);
            }
            AssertUnwindSafe(others.clone().oneshot(request)).catch_unwind().await
        }
    };
    let Ok(mut response) = answered.unwrap_or_else(|panic| Ok(respond(&panicked(panic.as_ref()), id)));
    let route = response.extensions_mut().remove::<Route>();
    let is_open = route.is_none() && cors::is_open_path(uri.path());
    ((response, route), is_open)
}

/// For routers around this one.
impl Service<Request> for Entry {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let (entry, extensions) = (self.clone(), request.extensions_mut());
        let refused = extensions.remove();
        let origin = match extensions.remove() {
            Some(peer) => Origin::Connection(peer, refused),
            None => Origin::Process(extensions.remove()),
        };
        Box::pin(async move { Ok(entry.answer(request, origin).await) })
    }
}

/// The connection ends with this answer.
fn close(mut response: Response) -> Response {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The caller's own id, where it sent one that can be kept.
fn own(headers: &HeaderMap) -> Option<RequestId> {
    let mut values = headers.get_all(HEADER).iter();
    let (value, None) = (values.next()?.to_str().ok()?, values.next()) else { return None };
    path::is_correlation_id(value).then(|| RequestId::from(value))
}

fn panicked(panic: &(dyn Any + Send)) -> ServiceError {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is not text");
    ServiceError::internal(format!("panic: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ERR-500-1, CONV-5: a handler that panics answers as any other failure does, and the server goes on.
    #[tokio::test]
    async fn a_panic_is_an_internal_error() {
        use axum::response::IntoResponse as _;
        use axum::routing::get;
        use http_body_util::BodyExt as _;

        struct Panics;

        impl ServedEndpoint for Panics {
            fn answer<'a>(&'a self, _: &'a Gate, _: IncomingRequest) -> BoxFuture<'a, Answered> {
                Box::pin(async { (panics().await.into_response(), None) })
            }

            fn is_open(&self) -> bool {
                true
            }
        }

        async fn panics() -> &'static str {
            panic!("the secret of the house")
        }
        let store = crate::testing::TestStore::sqlite().await;
        let app = crate::testing::TestApp::on(&store).await;
        let gate = Gate::new(app.service.clone(), crate::http::ConnectionTimeouts::default());
        let mut endpoints = Endpoints::default();
        endpoints.add("/{endpoint}", Method::GET, Panics);
        let entry = Entry::new(gate, endpoints, Router::new().route("/", get(panics)));
        for path in ["/", "/", "/endpoint", "/endpoint"] {
            let request = Request::builder().uri(path).header(HEADER, "mine").body(Body::empty()).unwrap();
            let response = entry.answer(request, Origin::Process(None)).await;
            assert_eq!(response.status(), 500);
            assert_eq!(response.headers().contains_key("access-control-allow-origin"), path != "/");
            assert_eq!(response.headers()[HEADER], "mine");
            let body = response.into_body().collect().await.unwrap().to_bytes();
            let body: l10n_api_types::ErrorBody = serde_json::from_slice(&body).unwrap();
            assert_eq!(body.error, l10n_api_types::ErrorCode::Internal);
            assert!(!body.message.contains("secret"), "{}", body.message);
        }
    }

    /// CONV-6, CONV-7
    #[test]
    fn a_callers_id_is_kept_only_where_it_is_harmless() {
        let kept = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(HEADER, HeaderValue::from_str(value).unwrap());
            }
            own(&headers).map(String::from)
        };
        let longest = "x".repeat(128);
        for good in ["a", "A-z_0.9", &longest] {
            assert_eq!(kept(&[good]).as_deref(), Some(good));
        }
        for bad in ["", "a b", "a%0d%0ab", "a/b", "a,b", "\"a\"", &"x".repeat(129), &"x".repeat(8192)] {
            assert_eq!(kept(&[bad]), None, "{bad}");
        }
        assert_eq!(kept(&["a", "a"]), None);
        assert_eq!(kept(&[]), None);
    }
}

//! The outermost layer: every response carries one `x-correlation-id` (§4), also that of a handler that panicked.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::header::CONNECTION;
use http::{HeaderMap, HeaderName, HeaderValue};
use l10n_api_types::{CORRELATION_ID_HEADER, RequestId};
use tower::{Layer, Service};

use super::access_log::Route;
use super::serve::RefusedRequest;
use super::{Gate, access_log, client_address, cors, dashboard, error, path};
use crate::domain::ServiceError;
use crate::ids::{IdKind, new_id};

const HEADER: HeaderName = HeaderName::from_static(CORRELATION_ID_HEADER);

/// Finds the client, names the exchange, runs it, writes its line into the access log and the name into its response.
#[derive(Clone)]
pub(super) struct Correlation<S> {
    inner: S,
    gate: Gate,
}

/// Puts a [`Correlation`] around each route.
#[derive(Clone)]
pub(super) struct CorrelationLayer(pub(super) Gate);

impl<S> Layer<S> for CorrelationLayer {
    type Service = Correlation<S>;

    fn layer(&self, inner: S) -> Correlation<S> {
        Correlation { inner, gate: self.0.clone() }
    }
}

impl<S> Service<Request> for Correlation<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let service = &self.gate.service;
        client_address::find(&mut request, &service.settings.http.trusted_proxies);
        let id = own(request.headers()).unwrap_or_else(|| RequestId::new(new_id(IdKind::Request, service.clock.now())));
        request.extensions_mut().insert(id.clone());
        let line = access_log::AccessLogEntry::begin(&request);
        let uri = request.uri().clone();
        let running = match request.extensions().get::<RefusedRequest>().copied() {
            Some(refused) => Err(refused),
            None => Ok(self.inner.call(request)),
        };
        Box::pin(async move {
            let respond = if dashboard::is_under(uri.path()) { dashboard::error_page } else { error::respond };
            let answered = match running {
                Err(refused) => Ok(Ok(close(respond(&refused.error(), &id)))),
                Ok(running) => AssertUnwindSafe(running).catch_unwind().await,
            };
            let Ok(mut response) = answered.unwrap_or_else(|panic| {
                let error = ServiceError::internal(format!("panic: {}", panic_message(panic.as_ref())));
                Ok(respond(&error, &id))
            });
            let mut route = response.extensions_mut().remove::<Route>();
            if route.as_ref().map_or_else(|| cors::is_open_path(uri.path()), |route| route.is_open) {
                cors::allow(response.headers_mut());
            }
            // A write whose name was taken has got another one.
            let id = route.as_mut().and_then(|route| route.request.take()).unwrap_or(id);
            if let Ok(value) = HeaderValue::from_str(id.as_str()) {
                response.headers_mut().insert(HEADER, value);
            }
            line.end(response.status(), route.as_ref(), &id);
            Ok(response)
        })
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

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is not text")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ERR-500-1, CONV-5: a handler that panics answers as any other failure does, and the server goes on.
    #[tokio::test]
    async fn a_panic_is_an_internal_error() {
        use axum::routing::get;
        use http_body_util::BodyExt as _;
        use tower::ServiceExt as _;

        async fn panics() -> &'static str {
            panic!("the secret of the house")
        }
        let store = crate::testing::TestStore::sqlite().await;
        let app = crate::testing::TestApp::on(&store).await;
        let gate = Gate::new(app.service.clone(), crate::http::ConnectionTimeouts::default());
        let router: axum::Router =
            axum::Router::new().route("/", get(panics)).layer(CorrelationLayer(gate.clone())).with_state(gate);
        for _ in 0..2 {
            let request = Request::builder().uri("/").header(HEADER, "mine").body(axum::body::Body::empty()).unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            assert_eq!(response.status(), 500);
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

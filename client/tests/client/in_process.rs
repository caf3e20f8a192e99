//! A service in the same process, reached by a transport of the application's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use futures_util::stream;
use http_body_util::BodyExt as _;
use l10n_client::{Builder, ConfigError, Error, Transport, TransportAnswer, TransportKind, reqwest};
use tower::ServiceExt as _;

use crate::limits::following;
use crate::support::{KEY, builder, health};

/// A router in this process, with a count of the requests that it got.
#[derive(Clone)]
pub(crate) struct InProcess {
    router: Router,
    requests: Arc<AtomicUsize>,
}

impl InProcess {
    pub(crate) fn answering<F>(answer: impl Fn(usize, Request) -> F + Clone + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Response> + Send + 'static,
    {
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        let handler = move |request: Request| answer(counted.fetch_add(1, Ordering::SeqCst), request);
        Self { router: Router::new().fallback(any(handler)), requests }
    }

    pub(crate) fn builder(&self) -> Builder {
        builder("http://localhost").transport(self.clone())
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Transport for InProcess {
    fn send(&self, request: axum::http::Request<axum::body::Bytes>) -> TransportAnswer {
        let router = self.router.clone();
        Box::pin(async move {
            let answer = router.oneshot(request.map(Body::from)).await?;
            Ok(answer.map(|body| body.map_err(Into::into).boxed_unsync()))
        })
    }
}

/// Retries are the client's, whatever way its requests take, and so are their headers.
#[tokio::test]
async fn a_request_arrives_as_over_a_connection_and_is_retried_alike() {
    let service = InProcess::answering(|nth, request: Request| async move {
        assert_eq!(request.uri().path_and_query().unwrap(), "/v1/projects/prj_1/languages");
        assert_eq!(request.headers()["authorization"], format!("Bearer {KEY}"));
        assert_eq!(request.headers()["content-type"], "application/json");
        assert!(
            request.headers().contains_key("x-correlation-id") && request.headers().contains_key("idempotency-key")
        );
        if nth < 2 {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let body = request.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, r#"{"languages":[{"code":"de"}]}"#.as_bytes());
        r#"{"added":["de"],"existing":[],"languages":[]}"#.into_response()
    });
    let client = service.builder().build().unwrap();
    let project = client.project("prj_1").with(l10n_client::CallOptions::default().idempotent());
    assert_eq!(project.languages().add(["de"]).await.unwrap().added, ["de".into()]);
    assert_eq!(service.requests(), 3);
}

/// Time limits hold for the head and for the body, and an answer that breaks off is told.
#[tokio::test]
async fn an_answer_that_does_not_come_breaks_off_or_is_too_long_is_told_as_over_a_connection() {
    let brief = |service: &InProcess| service.builder().max_retries(0).request_timeout(Duration::from_millis(50));
    let silent = InProcess::answering(|_, _| std::future::pending());
    let half = InProcess::answering(|_, _| async {
        Body::from_stream(stream::pending::<Result<&'static [u8], std::io::Error>>()).into_response()
    });
    let broken = InProcess::answering(|_, _| async {
        Body::from_stream(stream::iter([Ok(&b"{"[..]), Err(std::io::Error::other("pipe"))])).into_response()
    });
    for (service, kind) in
        [(&silent, TransportKind::Timeout), (&half, TransportKind::Timeout), (&broken, TransportKind::Interrupted)]
    {
        let Error::Transport(error) = brief(service).build().unwrap().health().await.unwrap_err() else { panic!() };
        assert_eq!((error.kind, error.may_have_reached_server), (kind, true));
    }
    let long = InProcess::answering(|_, _| async { health().to_string().into_response() });
    let error = long.builder().max_response_bytes(10).build().unwrap().health().await.unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error:?}");
    assert!(long.builder().build().unwrap().health().await.is_ok());
}

#[test]
fn settings_of_connections_are_refused_beside_a_transport() {
    let service = InProcess::answering(|_, _| std::future::pending());
    let beside = |builder: Builder| match builder.build().unwrap_err() {
        ConfigError::Conflict { setting, beside: "transport", .. } => setting,
        other => panic!("{other:?}"),
    };
    assert_eq!(beside(service.builder().no_proxy()), "no_proxy");
    assert_eq!(beside(service.builder().http_builder(reqwest::Client::builder())), "http_builder");
    assert_eq!(beside(service.builder().http_client(following())), "http_client");
}

//! The way of requests to the service.

use std::error::Error;
use std::fmt;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body_util::combinators::UnsyncBoxBody;
use tokio::time::{Instant, timeout_at};

/// Any error of a transport.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// The body of an answer, as it arrives.
pub type TransportBody = UnsyncBoxBody<Bytes, BoxError>;

/// An answer that is on its way.
pub type TransportAnswer = BoxFuture<'static, Result<http::Response<TransportBody>, BoxError>>;

/// A way to the service other than connections of the client's own, for example to a router in the same process. Given to
/// [`Builder::transport`](crate::Builder::transport).
///
/// It carries requests to the service and the answers back, and nothing else: time limits, retries, the size of answers and
/// all errors stay with the client, whichever way its requests take. It must not follow a redirect: the client would take
/// the answer for that of the service.
///
/// ```
/// use axum::Router;
/// use axum::body::Body;
/// use bytes::Bytes;
/// use http_body_util::BodyExt as _;
/// use l10n_client::{Client, Transport, TransportAnswer};
/// use tower::ServiceExt as _;
///
/// /// A router in this process.
/// struct InProcess(Router);
///
/// impl Transport for InProcess {
///     fn send(&self, request: http::Request<Bytes>) -> TransportAnswer {
///         let router = self.0.clone();
///         Box::pin(async move {
///             let answer = router.oneshot(request.map(Body::from)).await?;
///             Ok(answer.map(|body| body.map_err(Into::into).boxed_unsync()))
///         })
///     }
/// }
///
/// # fn main() -> Result<(), l10n_client::ConfigError> {
/// let client = Client::builder("http://localhost/v1").transport(InProcess(Router::new())).build()?;
/// # let _ = client;
/// # Ok(())
/// # }
/// ```
pub trait Transport: Send + Sync + 'static {
    /// Sends a request. The client drops the future, or the body of the answer, when the time for the request is over.
    ///
    /// # Errors
    ///
    /// Whatever kept an answer from arriving. The client takes the request for one that may have been carried out.
    fn send(&self, request: http::Request<Bytes>) -> TransportAnswer;
}

/// The time for a request is over.
#[derive(Debug)]
pub(crate) struct TimedOut;

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("operation timed out")
    }
}

impl Error for TimedOut {}

/// Waits for a part of an exchange until `end`, if there is one.
pub(crate) async fn until<T>(
    end: Option<Instant>,
    part: impl Future<Output = Result<T, BoxError>>,
) -> Result<T, BoxError> {
    match end {
        Some(end) => timeout_at(end, part).await.unwrap_or_else(|_| Err(TimedOut.into())),
        None => part.await,
    }
}

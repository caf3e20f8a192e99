//! An extractor for axum 0.8 that verifies, then parses.

use std::boxed::Box;
use std::error::Error;
use std::string::{String, ToString as _};
use std::sync::Arc;

use axum_core::RequestExt as _;
use axum_core::extract::{FromRef, FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use http::StatusCode;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::{Verified, Verifier, VerifyError, WEBHOOK_ID_HEADER};

/// Longest body that is read, in bytes. An event with the maximum number of documents has well under 100 KB. A lower
/// `DefaultBodyLimit` of the route applies, too.
pub const MAX_BODY_BYTES: usize = 1 << 20;

/// A delivery with a valid signature, and its body parsed as `T`, for example an [`Event`](crate::events::Event).
///
/// The router's state provides the verifier, as an `Arc<Verifier>`, or as a part of a larger state by `FromRef`. A request with
/// a wrong header or time is refused before its body is read, and a body is parsed only after its signature has been verified.
///
/// It reads the body, so it is the last argument of a handler, and `axum::Json` or `Bytes` cannot stand beside it: the bytes
/// are in [`body`](Self::body).
///
/// ```
/// use std::sync::Arc;
///
/// use axum::{Router, http::StatusCode, routing::post};
/// use l10n_webhook_verify::{Verifier, axum::Signed, events::Event};
///
/// async fn receive(Signed { event, .. }: Signed<Event>) -> StatusCode {
///     println!("{} {}", event.id, event.event_type);
///     StatusCode::NO_CONTENT
/// }
///
/// let verifier = Arc::new(Verifier::new("whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo")?);
/// let app: Router = Router::new().route("/webhooks/l10n", post(receive)).with_state(verifier);
/// # Ok::<(), l10n_webhook_verify::SecretError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Signed<T> {
    /// The parsed body.
    pub event: T,
    /// The body, byte for byte.
    pub body: Bytes,
    /// The time of signing and the secret that matched.
    pub verified: Verified,
    /// The webhook id from the request's header, which the signature does not cover.
    pub webhook_id: Option<String>,
}

impl<S, T> FromRequest<S> for Signed<T>
where
    Arc<Verifier>: FromRef<S>,
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refused> {
        let verifier = Arc::<Verifier>::from_ref(state);
        // Cloning does not copy the values.
        let headers = request.headers().clone();
        let signatures = verifier.admit_request(&headers, verifier.now())?;
        let body = read(request).await?;
        let verified = verifier.signed(&signatures, &body)?;
        let event = serde_json::from_slice(&body).map_err(Refused::NoEvent)?;
        let webhook_id = headers.get(WEBHOOK_ID_HEADER).and_then(|id| id.to_str().ok()).map(String::from);
        Ok(Self { event, body, verified, webhook_id })
    }
}

async fn read(request: Request) -> Result<Bytes, Refused> {
    let body = Limited::new(request.into_limited_body(), MAX_BODY_BYTES).collect().await;
    body.map(|body| body.to_bytes()).map_err(|error| {
        let mut cause: Option<&(dyn Error + 'static)> = Some(&*error);
        while let Some(error) = cause {
            if error.is::<LengthLimitError>() {
                return Refused::TooLarge;
            }
            cause = error.source();
        }
        Refused::Unread(error)
    })
}

/// The reason why a request is refused. The response holds it as a line of text, which has the text of an inner error, too:
/// none of them is a source. The service treats every refusal as a failed attempt and tries again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The signature is not valid: 400 for its header, 401 for its time or signature.
    #[error(transparent)]
    Unverified(#[from] VerifyError),
    /// The body is longer than [`MAX_BODY_BYTES`], or than the route allows: 413.
    #[error("the body is too large for a delivery")]
    TooLarge,
    /// The body could not be read to its end: 400.
    #[error("the body could not be read: {0}")]
    Unread(Box<dyn Error + Send + Sync>),
    /// The body is verified, but the handler cannot read it: 422.
    #[error("the body is verified, but this endpoint cannot read it: {0}")]
    NoEvent(serde_json::Error),
}

impl Refused {
    /// The status of the response.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unverified(VerifyError::Header(_)) | Self::Unread(_) => StatusCode::BAD_REQUEST,
            Self::Unverified(_) => StatusCode::UNAUTHORIZED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NoEvent(_) => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status(), self.to_string()).into_response()
    }
}

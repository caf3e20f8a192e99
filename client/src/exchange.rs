//! One logical call: its requests, retries and answer.

use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH,
    LOCATION, RETRY_AFTER, USER_AGENT,
};
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use l10n_api_types::{
    CORRELATION_ID_HEADER, EndpointInfo, ErrorCode, IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_REPLAYED_HEADER, Method,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use url::Url;

#[cfg(feature = "http")]
use crate::connections::Followed;
use crate::error::{ApiError, DecodeError, Error, InvalidArgument, RedirectError, Result, TransportError, shorten};
use crate::ids::{is_correlation_id, jitter, nth_id};
use crate::inner::Inner;
use crate::resend::Resend;
use crate::retry::{is_canceled_within, retry_after};
use crate::transport::{BoxError, TransportBody, until};

/// Longest error body that is read; a longer one is not the service's.
const LONGEST_ERROR_BODY: usize = 1024 * 1024;

/// Most memory that is taken for an answer before its bytes arrive, whatever length it announces.
const LARGEST_START: usize = 1024 * 1024;

const REPLAYED: HeaderName = HeaderName::from_static(IDEMPOTENCY_REPLAYED_HEADER);

/// A longer pause is logged as a warning.
const LONG_PAUSE: Duration = Duration::from_secs(5);

/// The request of a call.
pub(crate) struct Outgoing {
    pub(crate) endpoint: &'static EndpointInfo,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) accept: &'static str,
    pub(crate) body: Option<Bytes>,
    pub(crate) if_none_match: Option<HeaderValue>,
    /// True if the call changes anything, so that each of its requests has a receipt.
    pub(crate) writes: bool,
    pub(crate) resend: Resend,
    /// The correlation id of the first request.
    pub(crate) correlation_id: String,
    pub(crate) idempotency_key: Option<String>,
    /// Time on top of the client's timeouts, for an answer that the server delays on request.
    pub(crate) extra_time: Duration,
    /// Keeps further requests from being sent.
    pub(crate) canceled: Option<CancellationToken>,
    /// True if the body of the answer is left unread.
    pub(crate) leaves_body: bool,
}

/// The answer of a successful call.
pub(crate) struct Incoming {
    pub(crate) endpoint: &'static EndpointInfo,
    pub(crate) status: StatusCode,
    pub(crate) media_type: Option<String>,
    pub(crate) etag: Option<String>,
    pub(crate) body: Vec<u8>,
    /// The body, if it was left unread.
    pub(crate) unread: Option<TransportBody>,
    pub(crate) correlation_id: String,
    /// True if it is the replayed answer of an earlier request.
    pub(crate) replayed: bool,
    /// Like [`Error::request_ids`].
    pub(crate) open: Vec<String>,
}

impl Incoming {
    fn gone(endpoint: &'static EndpointInfo, correlation_id: String) -> Self {
        let status = StatusCode::NO_CONTENT;
        Self {
            endpoint,
            status,
            media_type: None,
            etag: None,
            body: Vec::new(),
            unread: None,
            correlation_id,
            replayed: false,
            open: Vec::new(),
        }
    }

    pub(crate) fn not_as_declared(&self, problem: impl Into<String>) -> DecodeError {
        DecodeError {
            endpoint: self.endpoint,
            status: self.status.as_u16(),
            problem: problem.into(),
            media_type: self.media_type.as_deref().map(|text| shorten(text, 100)),
            correlation_id: self.correlation_id.clone(),
            open: self.open.clone(),
        }
    }
}

impl Inner {
    /// Makes the call.
    pub(crate) async fn exchange(&self, outgoing: &Outgoing) -> Result<Incoming> {
        if outgoing.canceled.as_ref().is_some_and(CancellationToken::is_cancelled) {
            return Err(Error::Canceled { endpoint: outgoing.endpoint });
        }
        // A time too far away to be represented is no deadline.
        let deadline = Instant::now().checked_add(self.total_timeout.saturating_add(outgoing.extra_time));
        let (mut attempts, mut waited) = (0, 0);
        let (mut id, mut nth) = (outgoing.correlation_id.clone(), 1);
        // Requests of this call that may have been carried out.
        let mut open = Vec::new();
        loop {
            attempts += 1;
            let error = match self.attempt(outgoing, &id, deadline).await {
                Ok(mut incoming) => {
                    open.extend(outgoing.writes.then(|| incoming.correlation_id.clone()));
                    incoming.open = open;
                    return Ok(incoming);
                }
                // The resource is gone: an earlier request whose answer was lost has deleted it.
                Err(Error::Api(error))
                    if outgoing.method == Method::Delete && !open.is_empty() && error.code == ErrorCode::NotFound =>
                {
                    return Ok(Incoming::gone(outgoing.endpoint, error.correlation_id));
                }
                Err(error) => error,
            };
            if outgoing.writes && error.may_have_been_carried_out() {
                open.extend(error.correlation_id().map(str::to_owned));
            }
            let Some(pause) = self.policy.pause(&error, attempts, waited, jitter()) else {
                return Err(error.with_open(open));
            };
            if deadline.is_some_and(|deadline| deadline.saturating_duration_since(Instant::now()) <= pause) {
                return Err(error.with_open(open));
            }
            // A receipt describes one request.
            if outgoing.writes && error.may_have_left_a_receipt() {
                nth += 1;
                id = nth_id(&outgoing.correlation_id, nth);
            }
            waited += u32::from(error.status() == Some(429));
            // A silent pause of half a minute looks like a hang.
            if pause >= LONG_PAUSE {
                tracing::warn!(endpoint = outgoing.endpoint.name, attempts, ?pause, %error, "waiting before the request is sent again");
            } else {
                tracing::debug!(endpoint = outgoing.endpoint.name, attempts, ?pause, %error, "sending the request again");
            }
            if is_canceled_within(outgoing.canceled.as_ref(), pause).await {
                return Err(error.with_open(open));
            }
        }
    }

    async fn attempt(&self, outgoing: &Outgoing, id: &str, deadline: Option<Instant>) -> Result<Incoming> {
        let failed = |error| {
            let Outgoing { endpoint, resend, .. } = outgoing;
            TransportError::read(endpoint, *resend, self.base_url.to_string(), id.to_owned(), error)
        };
        let request = self.request(outgoing, id)?;
        let end = self.end(outgoing, deadline);
        let response = until(end, self.transport.send(request)).await.map_err(failed)?;
        let status = response.status();
        let correlation_id = self.correlation_id(response.headers(), id);
        tracing::trace!(endpoint = outgoing.endpoint.name, status = status.as_u16(), correlation_id, "answered");
        if status.is_redirection() && status != StatusCode::NOT_MODIFIED || followed(&response).is_some() {
            return Err(self.redirected(outgoing.endpoint, &response, correlation_id));
        }
        if status.is_client_error() || status.is_server_error() {
            return Err(self.refused(outgoing, response, correlation_id, end).await);
        }
        let mut incoming = Incoming {
            endpoint: outgoing.endpoint,
            status,
            media_type: self.media_type(&response),
            etag: text_header(response.headers(), &ETAG).map(str::to_owned),
            body: Vec::new(),
            unread: None,
            correlation_id,
            replayed: text_header(response.headers(), &REPLAYED) == Some("true"),
            open: Vec::new(),
        };
        if outgoing.leaves_body {
            incoming.unread = Some(response.into_body());
            return Ok(incoming);
        }
        match read_body(response, self.max_response_bytes, end).await.map_err(failed)? {
            Some(body) => incoming.body = body,
            None => {
                let problem = format!("it exceeds {} bytes (`max_response_bytes`)", self.max_response_bytes);
                return Err(incoming.not_as_declared(problem).into());
            }
        }
        Ok(incoming)
    }

    /// The end of the time for a request that begins now.
    fn end(&self, outgoing: &Outgoing, deadline: Option<Instant>) -> Option<Instant> {
        let end = Instant::now().checked_add(self.request_timeout.saturating_add(outgoing.extra_time));
        end.into_iter().chain(deadline).min()
    }

    fn request(&self, outgoing: &Outgoing, id: &str) -> Result<Request<Bytes>> {
        let method = match outgoing.method {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
            Method::Put => http::Method::PUT,
            Method::Patch => http::Method::PATCH,
            Method::Delete => http::Method::DELETE,
        };
        let mut request = Request::builder()
            .method(method)
            .uri(outgoing.url.as_str())
            .header(USER_AGENT, self.user_agent.clone())
            .header(CORRELATION_ID_HEADER, id)
            .header(ACCEPT, outgoing.accept);
        if let Some(authorization) = &outgoing.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        if let Some(etag) = &outgoing.if_none_match {
            request = request.header(IF_NONE_MATCH, etag.clone());
        }
        if let Some(key) = &outgoing.idempotency_key {
            request = request.header(IDEMPOTENCY_KEY_HEADER, key);
        }
        if outgoing.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        // Everything was checked before, but for the length of the URL.
        request.body(outgoing.body.clone().unwrap_or_default()).map_err(|error| {
            InvalidArgument::new(outgoing.endpoint.name, format!("it cannot be made into a request: {error}")).into()
        })
    }

    /// The correlation id in the answer if it is valid, else the id that was sent.
    fn correlation_id(&self, headers: &HeaderMap, sent: &str) -> String {
        text_header(headers, &HeaderName::from_static(CORRELATION_ID_HEADER))
            .filter(|id| is_correlation_id(id))
            .map_or_else(|| sent.to_owned(), |id| self.scrub(id.to_owned()))
    }

    fn redirected<B>(&self, endpoint: &'static EndpointInfo, response: &Response<B>, correlation_id: String) -> Error {
        let target = followed(response);
        let location = match target {
            Some(url) => Some(url.as_str()),
            None => text_header(response.headers(), &LOCATION),
        };
        Error::Redirected(Box::new(RedirectError {
            endpoint,
            status: response.status().as_u16(),
            location: location.map(|location| shorten(&self.scrub(location.to_owned()), 200)),
            correlation_id,
            open: Vec::new(),
            followed: target.is_some(),
        }))
    }

    async fn refused(
        &self,
        outgoing: &Outgoing,
        response: Response<TransportBody>,
        correlation_id: String,
        end: Option<Instant>,
    ) -> Error {
        let status = response.status().as_u16();
        let media_type = self.media_type(&response);
        let wait = text_header(response.headers(), &RETRY_AFTER).and_then(retry_after);
        // An error is reported even if its body does not arrive completely.
        let body = read_body(response, LONGEST_ERROR_BODY, end).await.ok().flatten();
        let body = body.map(|body| self.scrub(String::from_utf8_lossy(&body).into_owned()));
        let mut error = ApiError::read(outgoing.endpoint, status, media_type.as_deref(), body.as_deref());
        error.correlation_id = correlation_id;
        error.retry_after = wait;
        error.resend = outgoing.resend;
        error.into()
    }

    fn media_type<B>(&self, response: &Response<B>) -> Option<String> {
        text_header(response.headers(), &CONTENT_TYPE).map(|text| self.scrub(text.to_owned()))
    }

    /// Removes the key from a text that a server sent.
    pub(crate) fn scrub(&self, text: String) -> String {
        match &self.api_key {
            Some(key) => key.scrub(text),
            None => text,
        }
    }
}

/// The URL to which an HTTP client of the application's own has followed a redirect.
#[cfg(feature = "http")]
fn followed<B>(response: &Response<B>) -> Option<&Url> {
    response.extensions().get::<Followed>().map(|Followed(url)| url)
}

/// No other transport follows one.
#[cfg(not(feature = "http"))]
fn followed<B>(_: &Response<B>) -> Option<&Url> {
    None
}

/// The body, decompressed; `None` when it is longer than `longest`.
async fn read_body(
    response: Response<TransportBody>,
    longest: usize,
    end: Option<Instant>,
) -> Result<Option<Vec<u8>>, BoxError> {
    let announced =
        text_header(response.headers(), &CONTENT_LENGTH).and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
    if announced > longest {
        return Ok(None);
    }
    let (mut body, mut read) = (response.into_body(), Vec::with_capacity(announced.min(LARGEST_START)));
    let all = async {
        while let Some(frame) = body.frame().await {
            let Ok(chunk) = frame?.into_data() else { continue };
            if chunk.len() > longest - read.len() {
                return Ok(None);
            }
            read.extend_from_slice(&chunk);
        }
        Ok(Some(read))
    };
    until(end, all).await
}

fn text_header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

//! The answer of a handler.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;

use super::unsent::Counted;
use crate::domain::ServiceError;

/// Headers of a usual answer, with those that layers add.
const USUAL_HEADERS: usize = 8;

/// An answer: one of the endpoint's status codes of success, headers, and a body.
#[derive(Debug)]
pub(crate) struct Reply<T> {
    status: Option<StatusCode>,
    headers: HeaderMap,
    body: ReplyBody<T>,
}

#[derive(Debug)]
enum ReplyBody<T> {
    Json(T),
    Bytes(HeaderValue, Bytes),
    Counted(HeaderValue, Bytes),
    Stream(HeaderValue, Body),
    Empty,
}

impl<T> Reply<T> {
    fn new(status: Option<StatusCode>, body: ReplyBody<T>) -> Self {
        Self { status, headers: HeaderMap::with_capacity(USUAL_HEADERS), body }
    }

    /// The usual success of the endpoint, with a JSON body.
    pub(crate) fn json(body: T) -> Self {
        Self::new(None, ReplyBody::Json(body))
    }

    /// 200 where the usual success of the endpoint is another.
    pub(crate) fn ok(body: T) -> Self {
        Self::new(Some(StatusCode::OK), ReplyBody::Json(body))
    }

    /// Work was queued.
    pub(crate) fn accepted(body: T) -> Self {
        Self::new(Some(StatusCode::ACCEPTED), ReplyBody::Json(body))
    }

    /// The usual success of the endpoint, with bytes in a media type of their own.
    pub(crate) fn bytes(media_type: HeaderValue, bytes: impl Into<Bytes>) -> Self {
        Self::new(None, ReplyBody::Bytes(media_type, bytes.into()))
    }

    /// The usual success of the endpoint, with bytes that hold their permit themselves.
    pub(crate) fn counted(media_type: HeaderValue, bytes: Bytes) -> Self {
        Self::new(None, ReplyBody::Counted(media_type, bytes))
    }

    /// The usual success of the endpoint, with bytes that are sent while they are made. Only what writes nothing may answer so.
    pub(crate) fn stream(media_type: HeaderValue, body: Body) -> Self {
        Self::new(None, ReplyBody::Stream(media_type, body))
    }

    /// The answer that the client's copy is current. Give it the headers that the full answer would have.
    pub(crate) fn not_modified() -> Self {
        Self::new(Some(StatusCode::NOT_MODIFIED), ReplyBody::Empty)
    }

    /// The usual success of the endpoint, without a body.
    pub(crate) fn empty() -> Self {
        Self::new(None, ReplyBody::Empty)
    }

    /// With a header.
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }
}

impl<T: Serialize> Reply<T> {
    /// The status that it will have. `success` are the endpoint's status codes of success, the usual one first.
    pub(super) fn status(&self, success: &[u16]) -> u16 {
        self.status.map(|status| status.as_u16()).or(success.first().copied()).unwrap_or(200)
    }

    /// The bytes that its body will have.
    pub(super) fn body_bytes(&self) -> Result<Vec<u8>, ServiceError> {
        match &self.body {
            ReplyBody::Json(body) => serde_json::to_vec(body).map_err(ServiceError::internal),
            ReplyBody::Bytes(_, bytes) | ReplyBody::Counted(_, bytes) => Ok(bytes.to_vec()),
            ReplyBody::Stream(..) => Err(ServiceError::internal("a receipt cannot keep a body that is not made yet")),
            ReplyBody::Empty => Ok(Vec::new()),
        }
    }

    /// The response. `success` are the endpoint's status codes of success, the usual one first.
    pub(super) fn into_response(self, success: &[u16]) -> Result<Response, ServiceError> {
        let usual = success.first().and_then(|code| StatusCode::from_u16(*code).ok()).unwrap_or_default();
        let status = self.status.unwrap_or(usual);
        if !success.contains(&status.as_u16()) {
            return Err(ServiceError::internal(format!("the endpoint does not declare {status}")));
        }
        let is_counted = matches!(self.body, ReplyBody::Counted(..));
        let (media_type, body) = match self.body {
            ReplyBody::Json(body) => {
                let json = serde_json::to_vec(&body).map_err(ServiceError::internal)?;
                (Some(HeaderValue::from_static("application/json")), Body::from(json))
            }
            ReplyBody::Bytes(media_type, bytes) | ReplyBody::Counted(media_type, bytes) => {
                (Some(media_type), Body::from(bytes))
            }
            ReplyBody::Stream(media_type, body) => (Some(media_type), body),
            ReplyBody::Empty => (None, Body::empty()),
        };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        *response.headers_mut() = self.headers;
        if is_counted {
            response.extensions_mut().insert(Counted);
        }
        if let Some(media_type) = media_type {
            response.headers_mut().entry(CONTENT_TYPE).or_insert(media_type);
        }
        Ok(response)
    }
}

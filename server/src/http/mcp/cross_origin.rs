//! Pages that may call: those of the origins that the settings name, and of the server's own (the fetch standard's CORS
//! protocol). `l10n-mcp` refuses the others.

use axum::body::Body;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::config::Settings;

const HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, x-correlation-id",
);

/// Origins of pages that may call.
pub(super) struct CrossOrigin(Vec<String>);

impl CrossOrigin {
    pub(super) fn new(settings: &Settings) -> Self {
        Self(settings.mcp.allowed_origins.clone())
    }

    /// The origin of the page that sent a request, if it is another's that may call.
    pub(super) fn of(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut values = headers.get_all(ORIGIN).iter();
        let (value, None) = (values.next()?, values.next()) else { return None };
        self.0.iter().any(|allowed| allowed.as_bytes() == value.as_bytes()).then(|| value.clone())
    }
}

/// Answers the question that a browser asks before it sends a request with a key.
pub(super) fn preflight(origin: &HeaderValue) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    allow(headers, origin);
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}

/// Lets that page read an answer.
pub(super) fn allow(headers: &mut HeaderMap, origin: &HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("x-correlation-id, retry-after"));
    headers.append(VARY, HeaderValue::from_static("origin"));
}

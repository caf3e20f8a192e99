//! From an error of the rules to a response: the only file with status codes of errors.

use axum::body::Body;
use axum::response::Response;
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use l10n_api_types::{ErrorBody, ErrorCode, RequestId};

use crate::domain::ServiceError;

/// Seconds after which a request budget is worth another try (§7 rule 3).
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("60");

/// Seconds after which a server that does not take a request is worth another try.
const UNAVAILABLE_RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");

/// The response. What went wrong inside the server goes into the log, under the name of the exchange, and nowhere else.
pub(super) fn respond(error: &ServiceError, request: &RequestId) -> Response {
    let body = ErrorBody::from(error);
    let status = log_and_status(error, request);
    // Strings, numbers and maps of strings: serialising them cannot fail.
    let mut response = Response::new(Body::from(serde_json::to_vec(&body).unwrap_or_default()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    match error {
        ServiceError::Unauthorized(_) => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        error if error.code() == ErrorCode::RateLimited => {
            headers.insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        ServiceError::IdempotencyInProgress { retry_after_seconds } => {
            headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_seconds));
        }
        ServiceError::MethodNotAllowed { allow } => {
            if let Ok(methods) = HeaderValue::from_str(&allow.join(", ")) {
                headers.insert(ALLOW, methods);
            }
        }
        _ if status == StatusCode::SERVICE_UNAVAILABLE => {
            headers.insert(RETRY_AFTER, UNAVAILABLE_RETRY_AFTER_SECONDS);
        }
        _ => {}
    }
    response
}

/// The status of an error, of a route or of a page. What went wrong inside the server goes into the log, under the name of the
/// exchange.
pub(super) fn log_and_status(error: &ServiceError, request: &RequestId) -> StatusCode {
    let status = status(error);
    if status.is_server_error() && !matches!(error, ServiceError::Busy(_)) {
        tracing::error!(correlation_id = %request, status = status.as_u16(), cause = %causes(error), "request failed");
    }
    status
}

/// The status of an error.
pub(super) fn status(error: &ServiceError) -> StatusCode {
    let status = error.code().status().and_then(|code| StatusCode::from_u16(code).ok());
    match error {
        ServiceError::HeadTooLarge(_) => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        _ => status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// The error with all that caused it, for the log.
fn causes(error: &ServiceError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

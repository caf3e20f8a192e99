//! A request and its answer.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method};
use serde_json::Value;

/// A request as it was sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// Method.
    pub method: Method,
    /// The whole URL.
    pub url: String,
    /// Headers that the check set.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

/// A request and its answer, in the record of its check.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The request.
    pub request: Request,
    /// Status code.
    pub status: u16,
    /// Headers of the answer.
    pub headers: HeaderMap,
    /// Body of the answer.
    pub body: Bytes,
    /// The time of the request, by the deployment's clock, in milliseconds since 1970.
    pub at: i64,
    /// From the request to the whole answer.
    pub took: Duration,
}

impl Exchange {
    /// A header of the answer as text; `None` where there is none, and where it is no text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A header of the answer as text; empty where there is none, and where it is no text.
    pub(crate) fn header_text(&self, name: &str) -> &str {
        self.header(name).unwrap_or_default()
    }

    /// `404 not_found`; the status alone where the body is no error.
    #[must_use]
    pub fn outcome(&self) -> String {
        let error = serde_json::from_slice::<Value>(&self.body).ok();
        match error.as_ref().and_then(|body| body["error"].as_str()) {
            Some(code) if self.status >= 400 => format!("{} {code}", self.status),
            _ => self.status.to_string(),
        }
    }

    /// Returns true for an error with that status and code.
    #[must_use]
    pub fn is_error(&self, status: u16, code: &str) -> bool {
        self.outcome() == format!("{status} {code}")
    }
}

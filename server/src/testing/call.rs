//! Calls over a real connection, one for each.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use l10n_api_types::ErrorBody;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::TcpStream;

/// A call in the making.
#[derive(Debug, Clone)]
#[must_use = "a call is made by `send`"]
pub struct Call {
    address: SocketAddr,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub bytes: Bytes,
}

impl Call {
    pub(super) fn new(address: SocketAddr, method: Method, path: String) -> Self {
        Self { address, method, path, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// With this key in place of another.
    pub fn key(self, key: &str) -> Self {
        self.no_key().header("authorization", &format!("Bearer {key}"))
    }

    /// Without a key.
    pub fn no_key(mut self) -> Self {
        self.headers.remove("authorization");
        self
    }

    /// With one more header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let name: HeaderName = name.parse().expect("the name of a header");
        self.headers.append(name, HeaderValue::from_bytes(value.as_bytes()).expect("the value of a header"));
        self
    }

    /// With a JSON body.
    pub fn json(self, body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("a body");
        self.body(body).header("content-type", "application/json")
    }

    /// With these bytes as body, in no media type.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Makes the call.
    pub async fn send(self) -> Answer {
        let stream = TcpStream::connect(self.address).await.expect("the server listens");
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.expect("a connection");
        let connection = tokio::spawn(connection);
        let mut request = Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = self.path.parse().expect("a path");
        *request.headers_mut() = self.headers;
        request.headers_mut().insert("host", HeaderValue::from_static("localhost"));
        let response = sender.send_request(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a whole body").to_bytes();
        drop(sender);
        connection.abort();
        let answer = Answer { status: parts.status.as_u16(), headers: parts.headers, bytes };
        answer.check();
        answer
    }
}

impl Answer {
    /// Checks the conventions of every answer: CONV-5, ERR-1, ERR-2.
    fn check(&self) {
        let ids: Vec<_> = self.headers.get_all("x-correlation-id").iter().collect();
        assert_eq!(ids.len(), 1, "one x-correlation-id: {self:?}");
        assert!((1..=128).contains(&ids[0].len()), "{self:?}");
        // Errors of the dashboard are pages.
        if self.status >= 400 && !self.bytes.is_empty() && !self.is_page() {
            let error = self.error();
            assert_eq!(error.error.status(), Some(self.status), "{error:?}");
            assert!(!error.message.is_empty());
            assert_eq!(self.header("content-type"), Some("application/json"));
        }
    }

    /// A header, where it is there and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns true for HTML.
    pub fn is_page(&self) -> bool {
        self.header("content-type") == Some("text/html; charset=utf-8")
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("a body of text")
    }

    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        self.read()
    }

    /// The body, read as a type of the API.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of an error.
    pub fn error(&self) -> ErrorBody {
        self.read()
    }

    /// Status and code: `404 not_found`; the status alone for a success.
    pub fn outcome(&self) -> String {
        if self.status < 400 { self.status.to_string() } else { format!("{} {}", self.status, self.error().error) }
    }
}

//! Calls of services: one client for each engine, bounded in time and size, without redirects. What goes wrong is told
//! without the key.

use std::error::Error as _;
use std::net::IpAddr;
use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use url::{Host, Url};

use super::answer::ServiceResponse;
use super::key::ServiceKey;
use crate::config::{Remote, SecretText};
use crate::egress::machine_tls;
use crate::engines::EngineError;

/// The time to connect.
const CONNECT: Duration = Duration::from_secs(10);

/// Most bytes of an answer.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The client of an engine.
#[derive(Debug)]
pub(crate) struct EngineClient {
    client: Result<reqwest::Client, String>,
    address: String,
    key: ServiceKey,
    timeout: Duration,
}

impl EngineClient {
    /// The client for an engine at this address. Opens no connection.
    pub(super) fn new(remote: &Remote) -> Self {
        Self {
            client: client(&remote.address, remote.timeout),
            address: remote.address.clone(),
            key: ServiceKey::new(remote.key.as_ref()),
            timeout: remote.timeout,
        }
    }

    /// The reason why it cannot call anybody.
    pub(super) fn problem(&self) -> Option<String> {
        self.client.as_ref().err().cloned()
    }

    /// The address with this path behind it.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The headers with the key in one of them, behind a word such as `Bearer `.
    pub(super) fn with_key(&self, name: HeaderName, scheme: &str) -> HeaderMap {
        key_header(self.key().as_ref(), name, scheme)
    }

    /// The key itself, for services that want it elsewhere.
    pub(super) fn key(&self) -> Option<SecretText> {
        self.key.now()
    }

    /// Reads the key anew where it stands in a file, and returns true if it is another one.
    pub(super) async fn renew_key(&self) -> bool {
        self.key.renew().await
    }

    /// Posts a body of JSON of at most so many bytes.
    pub(super) async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: &impl Serialize,
        most_bytes: usize,
    ) -> Result<ServiceResponse, EngineError> {
        let body = serde_json::to_vec(body)
            .map_err(|error| EngineError::Refused(format!("the batch cannot be written as JSON: {error}")))?;
        if body.len() > most_bytes {
            return Err(EngineError::TooLarge(format!("its request would have {} bytes", body.len())));
        }
        self.post_bytes(url, headers, body).await
    }

    /// Posts a body of JSON that is written already.
    pub(super) async fn post_bytes(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<ServiceResponse, EngineError> {
        let request = self.client()?.post(url).headers(headers).header(CONTENT_TYPE, "application/json").body(body);
        self.send(request).await
    }

    /// Deletes a thing.
    pub(super) async fn delete(&self, url: &str, headers: HeaderMap) -> Result<ServiceResponse, EngineError> {
        self.send(self.client()?.delete(url).headers(headers)).await
    }

    fn client(&self) -> Result<&reqwest::Client, EngineError> {
        self.client.as_ref().map_err(|problem| EngineError::Misconfigured(problem.clone()))
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<ServiceResponse, EngineError> {
        let mut response = request.send().await.map_err(|error| self.unavailable(&error))?;
        let status = response.status().as_u16();
        let headers = std::mem::take(response.headers_mut());
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.unavailable(&error))? {
            if body.len() + piece.len() > MOST_BYTES {
                return Err(EngineError::Unavailable(format!("its answer is longer than {MOST_BYTES} bytes")));
            }
            body.extend_from_slice(&piece);
        }
        Ok(ServiceResponse::new(status, &headers, body, self.key().as_ref()))
    }

    /// The words of an error, with its cause, without the address: that may have a key in it.
    fn unavailable(&self, error: &reqwest::Error) -> EngineError {
        if error.is_timeout() && !error.is_connect() {
            return EngineError::Unavailable(format!("no answer within {} seconds", self.timeout.as_secs_f32()));
        }
        let mut cause: &dyn std::error::Error = error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        let what = if error.is_connect() { "cannot be reached" } else { "its answer broke off" };
        match error.source() {
            Some(_) => EngineError::Unavailable(format!("{what}: {cause}")),
            None => EngineError::Unavailable(what.to_owned()),
        }
    }
}

/// The headers with this key in one of them, behind a word such as `Bearer `.
pub(super) fn key_header(key: Option<&SecretText>, name: HeaderName, scheme: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(key) = key
        && let Ok(mut value) = HeaderValue::try_from(format!("{scheme}{}", key.expose()))
    {
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    headers
}

fn client(address: &str, timeout: Duration) -> Result<reqwest::Client, String> {
    let tls = machine_tls().map_err(|error| format!("TLS cannot be set up: {error}"))?;
    let mut builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(concat!("l10n-server/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .timeout(timeout);
    if is_of_this_machine(address) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| format!("its HTTP client cannot be built: {error}"))
}

/// Returns true for an address on this machine, which no proxy reaches.
fn is_of_this_machine(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => IpAddr::from(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::from(ip).is_loopback(),
        None => false,
    }
}

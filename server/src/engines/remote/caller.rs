//! Calls of services: one client for each engine, bounded in time and size, without redirects. What goes wrong is told
//! without the key.

use std::error::Error as _;
use std::net::IpAddr;
use std::time::Duration;

use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::{Host, Url};

use crate::config::{Remote, SecretText};
use crate::egress::machine_tls;
use crate::engines::EngineError;

/// The time to connect.
const CONNECT: Duration = Duration::from_secs(10);

/// Most bytes of an answer.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Most characters of an answer that an operator is shown.
const MOST_SHOWN: usize = 200;

/// The client of an engine.
#[derive(Debug)]
pub(super) struct Caller {
    client: Result<reqwest::Client, String>,
    key: Option<SecretText>,
    timeout: Duration,
}

/// An answer, whatever its status is.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    retry_after: Option<u64>,
    body: Vec<u8>,
    /// The beginning of the body, without the key.
    pub(super) shown: String,
}

impl Caller {
    /// The client for an engine at this address. Opens no connection.
    pub(super) fn new(remote: &Remote) -> Self {
        Self { client: client(&remote.address, remote.timeout), key: remote.key.clone(), timeout: remote.timeout }
    }

    /// The reason why it cannot call anybody.
    pub(super) fn problem(&self) -> Option<String> {
        self.client.as_ref().err().cloned()
    }

    /// The headers with the key in one of them, behind a word such as `Bearer `.
    pub(super) fn with_key(&self, name: HeaderName, scheme: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.key
            && let Ok(mut value) = HeaderValue::try_from(format!("{scheme}{}", key.expose()))
        {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        headers
    }

    /// The key itself, for services that want it in the body.
    pub(super) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(SecretText::expose)
    }

    /// Posts a body of JSON of at most so many bytes.
    pub(super) async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: &impl Serialize,
        most_bytes: usize,
    ) -> Result<Answer, EngineError> {
        let body = serde_json::to_vec(body)
            .map_err(|error| EngineError::Refused(format!("the batch cannot be written as JSON: {error}")))?;
        if body.len() > most_bytes {
            return Err(EngineError::TooLarge(format!("its request would have {} bytes", body.len())));
        }
        self.post_bytes(url, headers, body).await
    }

    /// Posts a body of JSON that is written already.
    pub(super) async fn post_bytes(&self, url: &str, headers: HeaderMap, body: Vec<u8>) -> Result<Answer, EngineError> {
        let client = self.client.as_ref().map_err(|problem| EngineError::Misconfigured(problem.clone()))?;
        let request = client.post(url).headers(headers).header(CONTENT_TYPE, "application/json").body(body);
        let mut response = request.send().await.map_err(|error| self.unavailable(&error))?;
        let status = response.status().as_u16();
        let retry_after =
            response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.unavailable(&error))? {
            if body.len() + piece.len() > MOST_BYTES {
                return Err(EngineError::Unavailable(format!("its answer is longer than {MOST_BYTES} bytes")));
            }
            body.extend_from_slice(&piece);
        }
        let shown = self.shown(&body);
        Ok(Answer { status, retry_after, body, shown })
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

    fn shown(&self, body: &[u8]) -> String {
        let mut text = String::from_utf8_lossy(&body[..body.len().min(8 * MOST_SHOWN)]).into_owned();
        if let Some(key) = self.key() {
            text = text.replace(key, "…");
        }
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).take(MOST_SHOWN).collect()
    }
}

impl Answer {
    /// The body as JSON, which may begin with a byte order mark.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, EngineError> {
        let body = self.bytes();
        serde_json::from_slice(body)
            .map_err(|error| EngineError::Unavailable(format!("its answer is not what was asked for: {error}")))
    }

    /// The body without a byte order mark.
    pub(super) fn bytes(&self) -> &[u8] {
        self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body)
    }

    /// Returns whether the body has a word in it.
    pub(super) fn says(&self, word: &str) -> bool {
        String::from_utf8_lossy(&self.body).contains(word)
    }

    /// Returns whether it answers what was asked.
    pub(super) fn is_success(&self) -> bool {
        self.status == 200
    }

    /// The request to ask later.
    pub(super) fn rate_limited(&self) -> EngineError {
        EngineError::RateLimited { retry_after_seconds: self.retry_after.unwrap_or(0) }
    }

    /// The fault that most services mean with the status of an answer.
    pub(super) fn fault(&self) -> EngineError {
        let said = format!("it answered {}: {}", self.status, self.shown);
        match self.status {
            429 | 529 => self.rate_limited(),
            503 if self.retry_after.is_some() => self.rate_limited(),
            402 => EngineError::QuotaExhausted(said),
            413 | 414 => EngineError::TooLarge(said),
            400 | 422 => EngineError::BadItem(said),
            408 | 500..=599 => EngineError::Unavailable(said),
            _ => EngineError::Misconfigured(said),
        }
    }
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

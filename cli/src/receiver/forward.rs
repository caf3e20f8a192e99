//! Forwards a delivery to a program on this machine, and its answer back.

use std::time::Duration;

use bytes::Bytes;
use hyper::{HeaderMap, StatusCode};
use l10n_client::is_loopback;
use l10n_client::reqwest::header::{CONTENT_TYPE, LOCATION};
use l10n_client::reqwest::{Client, Url, redirect};
use l10n_webhook_verify::{EVENT_ID_HEADER, SIGNATURE_HEADER, WEBHOOK_ID_HEADER};

/// The service gives up after 10 seconds; a program in a debugger may take longer.
const FORWARD_TIMEOUT: Duration = Duration::from_secs(60);

/// Longest part of an answer that is passed back; the service reads no more.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Headers of a delivery that a receiver needs.
const HEADERS: [&str; 5] = ["content-type", "user-agent", SIGNATURE_HEADER, EVENT_ID_HEADER, WEBHOOK_ID_HEADER];

/// The target of forwarded deliveries.
#[derive(Debug, Clone)]
pub(crate) struct Forward {
    pub(crate) url: Url,
    client: Client,
}

/// The program's answer.
#[derive(Debug)]
pub(crate) struct ForwardedResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Parses a URL to forward to: plain HTTP only for this machine.
pub(crate) fn target(text: &str) -> Result<Url, String> {
    let url = match Url::parse(text) {
        Ok(url) if ["http", "https"].contains(&url.scheme()) && url.has_host() => url,
        _ => return Err(format!("not a URL such as http://localhost:3000/{}", path_of(text))),
    };
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err("http is only allowed for this machine (localhost, 127.0.0.1, [::1]); use https".to_owned());
    }
    Ok(url)
}

/// The part behind the first slash, for an example that can be copied.
fn path_of(text: &str) -> &str {
    text.split_once("://").map_or(text, |(_, rest)| rest).split_once('/').map_or("hooks", |(_, path)| path)
}

impl Forward {
    pub(crate) fn new(url: Url) -> Result<Self, l10n_client::reqwest::Error> {
        // The program does not use a process-wide provider otherwise; a second call changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client =
            Client::builder().no_proxy().redirect(redirect::Policy::none()).timeout(FORWARD_TIMEOUT).build()?;
        Ok(Self { url, client })
    }

    /// Sends the delivery's bytes and headers unchanged.
    pub(crate) async fn send(&self, headers: &HeaderMap, body: Bytes) -> Result<ForwardedResponse, String> {
        let mut request = self.client.post(self.url.clone()).body(body);
        for name in HEADERS {
            for value in headers.get_all(name) {
                request = request.header(name, value);
            }
        }
        let mut response = request.send().await.map_err(|error| root_cause(&error))?;
        let status = response.status();
        let mut passed = HeaderMap::new();
        for name in [CONTENT_TYPE, LOCATION] {
            if let Some(value) = response.headers().get(&name) {
                passed.insert(name, value.clone());
            }
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| root_cause(&error))? {
            body.extend_from_slice(&chunk[..chunk.len().min(LONGEST_ANSWER - body.len())]);
            if body.len() == LONGEST_ANSWER {
                break;
            }
        }
        Ok(ForwardedResponse { status, headers: passed, body: body.into() })
    }
}

/// The innermost reason, such as "connection refused"; the outer ones only say that sending failed.
pub(crate) fn root_cause(error: &l10n_client::reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_stays_on_this_machine() {
        for good in ["http://localhost:3000/hooks", "http://127.0.0.1", "http://[::1]:8080/", "https://example.com/x"] {
            assert!(target(good).is_ok(), "{good}");
        }
        assert!(target("http://example.com/x").unwrap_err().contains("https"));
        assert_eq!(target("localhost:3000/a/b").unwrap_err(), "not a URL such as http://localhost:3000/a/b");
        for wrong in ["", "3000", "ftp://localhost/", "http://", "file:///etc/passwd"] {
            assert!(target(wrong).is_err(), "{wrong}");
        }
    }
}

//! Answers of services, and the faults that most of them mean alike.

use http::HeaderMap;
use http::header::{DATE, HeaderName, RETRY_AFTER};
use jiff::fmt::rfc2822;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::config::SecretText;
use crate::engines::EngineError;
use crate::engines::words::{MOST_SHOWN, shown};

/// An answer, whatever its status is.
#[derive(Debug)]
pub(super) struct ServiceResponse {
    pub(super) status: u16,
    retry_after: Option<u64>,
    body: Vec<u8>,
    /// The beginning of the body, without the key.
    pub(super) shown: String,
}

impl ServiceResponse {
    /// An answer with this status. What an operator is shown of it has no key in it.
    pub(super) fn new(status: u16, headers: &HeaderMap, body: Vec<u8>, key: Option<&SecretText>) -> Self {
        let mut text = String::from_utf8_lossy(&body[..body.len().min(8 * MOST_SHOWN)]).into_owned();
        if let Some(key) = key {
            text = text.replace(key.expose(), "…");
        }
        Self { status, retry_after: retry_after(headers), body, shown: shown(&text) }
    }

    /// The body as JSON, which may begin with a byte order mark.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, EngineError> {
        let body = self.bytes();
        serde_json::from_slice(body).map_err(|error| {
            let error = shown(&error.to_string());
            EngineError::Unavailable(format!("its answer is not what was asked for: {error}"))
        })
    }

    /// The body without a byte order mark.
    pub(super) fn bytes(&self) -> &[u8] {
        self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body)
    }

    /// Returns whether the body has a word in it.
    pub(super) fn says(&self, word: &str) -> bool {
        String::from_utf8_lossy(&self.body).contains(word)
    }

    /// Returns whether a refusal is not in the service's own words: what stands in front of a service, such as a firewall, answers
    /// with a page, and may do so for what is in a text.
    pub(super) fn is_barred(&self) -> bool {
        matches!(self.status, 403 | 406) && serde_json::from_slice::<Map<String, Value>>(self.bytes()).is_err()
    }

    /// Returns whether it answers what was asked.
    pub(super) fn is_success(&self) -> bool {
        self.status == 200
    }

    /// The status and the beginning of the body, for the operator.
    pub(super) fn words(&self) -> String {
        format!("it answered {}: {}", self.status, self.shown)
    }

    /// The request to ask later.
    pub(super) fn rate_limited(&self) -> EngineError {
        EngineError::RateLimited { retry_after_seconds: self.retry_after.unwrap_or(0) }
    }

    /// The fault that most services mean with the status of an answer.
    pub(super) fn fault(&self) -> EngineError {
        let said = self.words();
        match self.status {
            429 | 529 => self.rate_limited(),
            503 if self.retry_after.is_some() => self.rate_limited(),
            402 => EngineError::QuotaExhausted(said),
            413 | 414 => EngineError::TooLarge(said),
            400 | 422 => EngineError::BadItem(said),
            408 | 500..=599 => EngineError::Unavailable(said),
            _ if self.is_barred() => EngineError::Barred(said),
            _ => EngineError::Misconfigured(said),
        }
    }
}

/// The seconds of a `Retry-After`, which is a number of them or a date. A date is held against the service's own clock.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let date = |text: &str| rfc2822::parse(text).ok().map(|date| date.timestamp().as_second());
    let stated = text(RETRY_AFTER)?;
    if let Ok(seconds) = stated.parse() {
        return Some(seconds);
    }
    let seconds = date(stated)?.saturating_sub(date(text(DATE)?)?);
    Some(u64::try_from(seconds).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_refuses_is_not_the_services_own() {
        let fault = |status, body: &str| {
            ServiceResponse::new(status, &HeaderMap::new(), body.as_bytes().to_vec(), None).fault()
        };
        for body in ["<html>Sorry, you have been blocked</html>", "error code: 1020", ""] {
            assert!(matches!(fault(403, body), EngineError::Barred(_)), "{body}");
            assert!(matches!(fault(406, body), EngineError::Barred(_)), "{body}");
            assert!(matches!(fault(401, body), EngineError::Misconfigured(_)), "{body}");
        }
        assert!(matches!(fault(403, r#"{"message": "Authorization failed"}"#), EngineError::Misconfigured(_)));
    }

    #[test]
    fn a_pause_is_stated_in_seconds_or_as_a_date() {
        let pause = |stated: &str, date: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, stated.parse().unwrap());
            if !date.is_empty() {
                headers.insert(DATE, date.parse().unwrap());
            }
            retry_after(&headers)
        };
        assert_eq!(pause(" 7", ""), Some(7));
        assert_eq!(pause("Sun, 06 Nov 1994 08:49:37 GMT", ""), None);
        assert_eq!(pause("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:35 GMT"), Some(2));
        assert_eq!(pause("Sun, 06 Nov 1994 08:00:00 GMT", "Sun, 06 Nov 1994 08:49:35 GMT"), Some(0));
        assert_eq!(pause("soon", ""), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}

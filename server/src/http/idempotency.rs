//! `Idempotency-Key`: what names a write for 24 hours, and the answer that is given again.

use axum::body::Body;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use l10n_api_types::{IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_REPLAYED_HEADER};
use sha2::{Digest as _, Sha256};

use crate::domain::ServiceError;
use crate::domain::receipts::{IdempotencyKey, Replayed};

/// Longest key, in bytes.
const LONGEST: usize = 255;

const KEY: HeaderName = HeaderName::from_static(IDEMPOTENCY_KEY_HEADER);
const REPLAYED: HeaderName = HeaderName::from_static(IDEMPOTENCY_REPLAYED_HEADER);

/// The key of a request, with the fingerprint of what is asked for.
///
/// # Errors
///
/// 400 when there are two, or one that is no key.
pub(super) fn key(parts: &Parts, body: &[u8]) -> Result<Option<IdempotencyKey>, ServiceError> {
    let mut values = parts.headers.get_all(KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| {
        values.next().is_none()
            && (1..=LONGEST).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic())
    });
    let Some(text) = text else {
        return Err(ServiceError::InvalidArgument(format!(
            "`Idempotency-Key`: send it once, with 1 to {LONGEST} visible ASCII characters"
        )));
    };
    Ok(Some(IdempotencyKey { text: text.to_owned(), fingerprint: fingerprint(parts, body) }))
}

fn fingerprint(parts: &Parts, body: &[u8]) -> [u8; 32] {
    let mut digest = Sha256::new();
    // Lengths stand before the parts, so that no two requests have one form.
    for part in [
        parts.method.as_str().as_bytes(),
        parts.uri.path().as_bytes(),
        parts.uri.query().unwrap_or_default().as_bytes(),
        body,
    ] {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}

/// Returns the earlier answer again.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub(super) fn replay(replayed: Replayed) -> Result<Response, ServiceError> {
    let status = StatusCode::from_u16(replayed.http_status).map_err(ServiceError::internal)?;
    let is_empty = replayed.body.is_empty();
    let mut response = Response::new(Body::from(replayed.body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    if !is_empty {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(method: &str, uri: &str, keys: &[&str]) -> Parts {
        let mut request = http::Request::builder().method(method).uri(uri);
        for key in keys {
            request = request.header(KEY, *key);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn a_key_is_one_short_visible_text() {
        let read = |keys: &[&str]| key(&parts("POST", "/a", keys), b"").map(|key| key.map(|key| key.text));
        assert_eq!(read(&[]).unwrap(), None);
        let longest = "k".repeat(255);
        for good in ["a", "7f9c-\"quoted\"", &longest] {
            assert_eq!(read(&[good]).unwrap().as_deref(), Some(good));
        }
        for bad in [&["" as &str] as &[&str], &["a b"], &["a", "a"], &[&"k".repeat(256)]] {
            assert!(read(bad).unwrap_err().to_string().contains("`Idempotency-Key`"));
        }
    }

    #[test]
    fn every_part_of_a_request_is_in_its_fingerprint() {
        let of = |method, uri, body: &[u8]| fingerprint(&parts(method, uri, &[]), body);
        let all = [
            of("POST", "/a?b=c", b"d"),
            of("PUT", "/a?b=c", b"d"),
            of("POST", "/a2?b=c", b"d"),
            of("POST", "/a?b=c2", b"d"),
            of("POST", "/a?b=c", b"d2"),
            of("POST", "/a?b=", b"cd"),
        ];
        let different: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
        assert_eq!(all[0], of("POST", "/a?b=c", b"d"));
    }
}

//! Headers of the `http` crate.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::{HeaderMap, HeaderValue};
use l10n_webhook_verify::{HeaderError, SIGNATURE_HEADER, Verifier, VerifyError, sign};

const NOW: i64 = 1_800_000_000;

fn verify(headers: &HeaderMap) -> Result<(), VerifyError> {
    let verifier = Verifier::new("whsec_1").unwrap().clock(|| NOW);
    let result = verifier.verify_request(headers, b"{}");
    assert_eq!(verifier.verify_request_at(headers, b"{}", NOW), result);
    result.map(drop)
}

#[test]
fn the_header_is_found_under_its_name() {
    let mut headers = HeaderMap::new();
    assert_eq!(verify(&headers), Err(VerifyError::Header(HeaderError::Missing)));
    let right = HeaderValue::try_from(sign::header(&["whsec_1"], NOW, b"{}")).unwrap();
    headers.insert("X-Service-Signature", right.clone());
    assert_eq!(verify(&headers), Ok(()));
    // Two readers could disagree about two headers, even if these are equal.
    headers.append(SIGNATURE_HEADER, right);
    assert_eq!(verify(&headers), Err(VerifyError::Header(HeaderError::Repeated)));
}

#[test]
fn a_value_that_is_no_text_is_an_error_like_others() {
    let value = HeaderValue::from_bytes(b"t=1800000000,v1=\xff").unwrap();
    let headers = HeaderMap::from_iter([(SIGNATURE_HEADER.parse().unwrap(), value)]);
    assert_eq!(verify(&headers), Err(VerifyError::Header(HeaderError::Character)));
}

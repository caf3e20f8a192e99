//! Whatever header is sent: no panic, and accepted is only what carries the right signature of the body at a time
//! within the tolerance. `webhook-verify/tests/properties.rs` holds the same in every test run.
//!
//! The input is a header, a line end and a body. A fuzzer finds no HMAC, so `NOW` in a header stands for the receiver's
//! time and `TAG` for the right signature at it. `seeds/` has headers to begin with. Inputs grow to twice what a header may
//! have, so that both sides of the limit are met:
//!
//! ```text
//! cargo +nightly fuzz run signature_header fuzz/corpus/signature_header fuzz/seeds/signature_header -- -max_len=8192
//! ```

#![no_main]

use l10n_webhook_verify::{Verifier, sign};
use libfuzzer_sys::fuzz_target;

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const NOW: i64 = 1_800_000_000;

fuzz_target!(|input: &[u8]| {
    let at = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let (header, body) = (&input[..at], input.get(at + 1..).unwrap_or_default());
    let right = right(NOW, body);
    let header = filled(header, &right);
    let verifier = Verifier::new(SECRET).expect("a secret");
    if let Ok(verified) = verifier.verify_at(&header, body, NOW) {
        assert!(verified.time.abs_diff(NOW) <= 300);
        let written = format!("t={}", verified.time);
        let tag = format!("v1={}", self::right(verified.time, body));
        let parts: Vec<_> = header.split(|&byte| byte == b',').collect();
        assert_eq!(parts.iter().filter(|part| part.starts_with(b"t=")).count(), 1);
        assert!(parts.contains(&written.as_bytes()) && parts.contains(&tag.as_bytes()));
    }
});

/// The hexadecimal signature of a body.
fn right(t: i64, body: &[u8]) -> String {
    sign::header(&[SECRET], t, body).rsplit('=').next().unwrap_or_default().to_owned()
}

fn filled(header: &[u8], tag: &str) -> Vec<u8> {
    let mut filled = Vec::with_capacity(header.len() + 64);
    let mut rest = header;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some(tail) = rest.strip_prefix(b"TAG") {
            filled.extend_from_slice(tag.as_bytes());
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix(b"NOW") {
            filled.extend_from_slice(NOW.to_string().as_bytes());
            rest = tail;
        } else {
            filled.push(first);
            rest = tail;
        }
    }
    filled
}

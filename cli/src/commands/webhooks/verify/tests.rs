//! Every known mistake is found, alone and together with others.

use hmac::{Hmac, KeyInit as _, Mac as _};
use l10n_webhook_verify::sign;
use sha2::Sha256;

use super::*;

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const BODY: &str = r#"{"id":"evt_1","data":{"label":"Größe 😀/1","keyCount":3}}"#;
const T: i64 = 1_800_000_000;

fn parts(secret: &str, header: &str, body: &str) -> Vec<&'static str> {
    parts_at(secret, header, body, T)
}

fn parts_at(secret: &str, header: &str, body: &str, now: i64) -> Vec<&'static str> {
    let findings = examine(secret, header, body.as_bytes(), now, Duration::from_secs(300));
    findings.iter().map(|finding| finding.part).collect()
}

/// The header that the service sends.
fn header() -> String {
    sign::header(&[SECRET], T, BODY.as_bytes())
}

/// The header of a sender that signs with other keys or texts.
fn signed(t: &str, key: &[u8], text: &[u8]) -> String {
    let tag = Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(text).finalize().into_bytes();
    let hex: String = tag.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={t},v1={hex}")
}

#[test]
fn what_the_service_sends_is_right() {
    assert!(parts(SECRET, &header(), BODY).is_empty());
    let two = sign::header(&["whsec_newer", SECRET], T, BODY.as_bytes());
    assert!(parts(SECRET, &two, BODY).is_empty());
    assert!(parts_at(SECRET, &header(), BODY, T + 300).is_empty());
}

#[test]
fn a_wrong_time_is_told_apart_from_a_wrong_signature() {
    assert_eq!(parts_at(SECRET, &header(), BODY, T + 301), ["time"]);
    assert_eq!(parts_at(SECRET, &header(), BODY, T - 301), ["time"]);
    assert_eq!(parts_at("whsec_another", &header(), BODY, T + 301), ["time", "signature"]);
    let millis = sign::header(&[SECRET], T * 1_000, BODY.as_bytes());
    let findings = examine(SECRET, &millis, BODY.as_bytes(), T, Duration::from_secs(300));
    assert_eq!(findings[0].problem, "`t` is in milliseconds");
    assert_eq!(findings.len(), 1);
}

#[test]
fn a_secret_that_was_given_wrong_is_named() {
    let bare = SECRET.strip_prefix("whsec_").unwrap();
    for secret in [format!("{SECRET}\n"), format!(" {SECRET}"), format!("\"{SECRET}\""), bare.to_owned()] {
        assert_eq!(parts(&secret, &header(), BODY), ["secret"], "{secret:?}");
    }
    assert_eq!(parts("", &header(), BODY), ["secret"]);
    assert_eq!(parts("whsec_another", &header(), BODY), ["signature"]);
}

#[test]
fn a_body_that_was_changed_is_named() {
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(BODY).unwrap()).unwrap();
    // The output of a JSON library that escapes non-ASCII characters and puts blanks after commas and colons.
    let escaped = r#"{"id": "evt_1", "data": {"label": "Gr\u00f6\u00dfe \ud83d\ude00\/1", "keyCount": 3}}"#;
    let quoted = serde_json::to_string(BODY).unwrap();
    for body in [format!("{BODY}\n"), format!("{BODY}\r\n"), format!("\u{feff}{BODY}"), escaped.to_owned(), quoted] {
        assert_eq!(parts(SECRET, &header(), &body), ["body"], "{body:?}");
    }
    let spaced = BODY.replace(':', ": ").replace(",\"", ", \"");
    assert_eq!(parts(SECRET, &header(), &spaced), ["body"]);
    // The order of the fields is lost here, so the only finding is that the signature does not match.
    assert_eq!(parts(SECRET, &header(), &pretty), ["signature"]);
    let ordered = sign::header(&[SECRET], T, br#"{"a":1,"b":[2]}"#);
    assert_eq!(parts(SECRET, &ordered, "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}"), ["body"]);
    let unread = sign::header(&[SECRET], T, b"");
    assert_eq!(parts(SECRET, &unread, BODY), ["body"]);
}

#[test]
fn a_sender_that_signs_in_another_way_is_told_how() {
    let t = T.to_string();
    let right = format!("{t}.{BODY}");
    let bare = SECRET.strip_prefix("whsec_").unwrap();
    let decoded = base64::Engine::decode(&base64::engine::general_purpose::STANDARD_NO_PAD, bare).unwrap();
    for key in [bare.as_bytes(), &decoded, format!("{SECRET}\n").as_bytes()] {
        assert_eq!(parts(SECRET, &signed(&t, key, right.as_bytes()), BODY), ["secret"]);
    }
    for text in [BODY.to_owned(), format!("{t}{BODY}"), format!("{t}:{BODY}"), format!("{t}000.{BODY}")] {
        assert_eq!(parts(SECRET, &signed(&t, SECRET.as_bytes(), text.as_bytes()), BODY), ["signature"], "{text}");
    }
    let spaced = BODY.replace(':', ": ");
    assert_eq!(parts(SECRET, &signed(&t, bare.as_bytes(), right.as_bytes()), &spaced), ["secret", "body"]);
}

#[test]
fn a_header_that_is_written_wrong_is_named() {
    let upper = header().replace("v1=", "V=").to_uppercase().replace("T=", "t=").replace("V=", "v1=");
    for header in
        [format!("{} ", header()), header().replace(',', ", "), format!("X-Service-Signature: {}", header()), upper]
    {
        assert_eq!(parts(SECRET, &header, BODY).first(), Some(&"format"), "{header}");
        assert!(!parts(SECRET, &header, BODY).contains(&"signature"), "{header}");
    }
    for header in ["", "t=1", "v1=00", "nonsense", "t=x,v1=y"] {
        assert_eq!(parts(SECRET, header, BODY), ["format"], "{header}");
    }
}

/// Any input gets an answer that does not contain the secret.
#[test]
fn no_input_is_too_strange() {
    let strange =
        ["", "\0", "\u{feff}", "t=", "v1=", "{", "\"", "whsec_", "t=-9223372036854775808,v1=é", "\\u", "\\ud83d\\u"];
    for secret in strange {
        for header in strange.iter().chain(&[header().as_str()]) {
            for body in strange {
                let findings = examine(secret, header, body.as_bytes(), i64::MAX, Duration::MAX);
                assert!(!findings.is_empty());
            }
        }
    }
    for finding in examine("whsec_topsecret", &header(), b"{}", T, Duration::ZERO) {
        assert!(!format!("{finding:?}").contains("topsecret"));
    }
}

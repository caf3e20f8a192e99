//! Secrets: their form, several at once, and that they are never shown.

use l10n_webhook_verify::{MAX_SECRETS, SecretError, Verifier, VerifyError, sign};

const NEW: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const OLD: &str = "whsec_0000000000000000000000000000000000000000000";
const NOW: i64 = 1_800_000_000;

/// AMB-8: the whole string is the key. The expected signature was made with OpenSSL:
/// `printf '1800000000.{}' | openssl dgst -sha256 -hmac whsec_5vhK…`.
#[test]
fn the_whole_secret_is_the_key() {
    let header = sign::header(&[NEW], NOW, b"{}");
    assert_eq!(header, "t=1800000000,v1=47f57c8f79de48883efd2e731bbcc59a57612f653f7cf412884bbb2dfda13edf");
    assert!(Verifier::new(NEW).unwrap().verify_at(header, b"{}", NOW).is_ok());
    let bare = sign::header(&[NEW.strip_prefix("whsec_").unwrap()], NOW, b"{}");
    assert_eq!(Verifier::new(NEW).unwrap().verify_at(bare, b"{}", NOW), Err(VerifyError::Signature));
}

/// SIG-9: during a rotation either side may have one secret or both.
#[test]
fn a_delivery_is_accepted_when_any_secret_has_signed_it() {
    let (signed_by_both, signed_by_old) = (sign::header(&[NEW, OLD], NOW, b"{}"), sign::header(&[OLD], NOW, b"{}"));
    let which = |verifier: &Verifier, header: &str| verifier.verify_at(header, b"{}", NOW).map(|it| it.secret);
    let new = Verifier::new(NEW).unwrap();
    let old = Verifier::new(OLD).unwrap();
    let both = Verifier::new(NEW).unwrap().or_secret(OLD).unwrap();
    assert_eq!(which(&new, &signed_by_both), Ok(0));
    assert_eq!(which(&old, &signed_by_both), Ok(0));
    assert_eq!(which(&both, &signed_by_both), Ok(0));
    assert_eq!(which(&both, &signed_by_old), Ok(1));
    assert_eq!(which(&new, &signed_by_old), Err(VerifyError::Signature));
}

#[test]
fn what_cannot_be_a_secret_is_refused() {
    for (secret, expected) in [
        ("", SecretError::Empty),
        ("whsec_abc\n", SecretError::Blank),
        (" whsec_abc", SecretError::Blank),
        ("abc", SecretError::Prefix),
        ("whsec_", SecretError::Prefix),
        ("WHSEC_abc", SecretError::Prefix),
    ] {
        assert_eq!(Verifier::new(secret).unwrap_err(), expected, "{secret:?}");
        assert_eq!(Verifier::new(NEW).unwrap().or_secret(secret).unwrap_err(), expected, "{secret:?}");
    }
}

#[test]
fn the_number_of_secrets_is_bounded() {
    let mut verifier = Verifier::new("whsec_0").unwrap();
    for at in 1..MAX_SECRETS {
        verifier = verifier.or_secret(format!("whsec_{at}")).unwrap();
    }
    for at in 0..MAX_SECRETS {
        let header = sign::header(&[&format!("whsec_{at}")], NOW, b"{}");
        assert_eq!(verifier.verify_at(header, b"{}", NOW).unwrap().secret, at);
    }
    assert_eq!(verifier.or_secret("whsec_one_more").unwrap_err(), SecretError::TooMany);
}

/// RFC 2104: a key longer than a block is hashed first, one as long as a block is not.
#[test]
fn secrets_of_any_length_work() {
    for length in [1, 57, 58, 59, 1000] {
        let secret = format!("whsec_{}", "k".repeat(length));
        let header = sign::header(&[&secret], NOW, b"{}");
        assert!(Verifier::new(&secret).unwrap().verify_at(&header, b"{}", NOW).is_ok(), "{length}");
        assert!(Verifier::new(format!("{secret}k")).unwrap().verify_at(&header, b"{}", NOW).is_err(), "{length}");
    }
    // Made with OpenSSL, as above: 64 bytes are a whole block.
    let block = format!("whsec_{}", "k".repeat(58));
    assert_eq!(
        sign::header(&[&block], NOW, b"{}"),
        "t=1800000000,v1=8ce5fd5c2c8cc91f4c12056a8f80fdbf462490d593a7918e629ab26949e9192b"
    );
    let long = format!("whsec_{}", "k".repeat(94));
    assert_eq!(
        sign::header(&[&long], NOW, b"{}"),
        "t=1800000000,v1=efae167703ffa76562286677e92376df50f527dc8dbb59b2a5e982ec19cd929e"
    );
}

#[test]
fn secrets_are_never_shown() {
    let verifier = Verifier::new(NEW).unwrap().or_secret(OLD).unwrap();
    let shown = format!("{verifier:?} {verifier:#?}");
    assert!(shown.contains("whsec_…"), "{shown}");
    assert!(!shown.contains("5vhK") && !shown.contains("0000") && !shown.contains("SPo"), "{shown}");
    let said = Verifier::new("marker").unwrap_err();
    assert!(!format!("{said} {said:?}").contains("marker"));
}

//! The tolerance in both directions, and the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use l10n_webhook_verify::{HeaderError, TimeError, Verifier, VerifyError, sign};

const SECRET: &str = "whsec_5vhKqPbDCLWQWJLTWqkqTvAqZx1V5RkSBnHy8c4tSPo";
const T: i64 = 1_800_000_000;

fn at(verifier: &Verifier, now: i64) -> Result<i64, VerifyError> {
    verifier.verify_at(sign::header(&[SECRET], T, b"{}"), b"{}", now).map(|verified| verified.time)
}

/// SIG-10, AMB-9.
#[test]
fn a_delivery_may_be_300_seconds_from_now_in_both_directions() {
    let verifier = Verifier::new(SECRET).unwrap();
    for away in [0, 1, 299, 300] {
        assert_eq!(at(&verifier, T + away), Ok(T), "{away}");
        assert_eq!(at(&verifier, T - away), Ok(T), "{away}");
    }
    assert_eq!(at(&verifier, T + 301).unwrap_err().to_string(), old(301, 300));
    assert!(matches!(
        at(&verifier, T + 301),
        Err(VerifyError::Time(TimeError::TooOld { age: 301, tolerance: 300, .. }))
    ));
    assert!(matches!(
        at(&verifier, T - 301),
        Err(VerifyError::Time(TimeError::TooNew { ahead: 301, tolerance: 300, .. }))
    ));
}

fn old(age: u64, tolerance: u64) -> String {
    format!(
        "the delivery was signed {age} s ago and {tolerance} s are allowed: it has been held up or replayed, \
         or the clock of this machine is fast"
    )
}

/// SIG-10.
#[test]
fn the_tolerance_can_be_set() {
    let none = Verifier::new(SECRET).unwrap().tolerance(Duration::ZERO);
    assert!(at(&none, T).is_ok() && at(&none, T + 1).is_err() && at(&none, T - 1).is_err());
    let day = Verifier::new(SECRET).unwrap().tolerance(Duration::from_secs(86_400));
    assert!(at(&day, T + 86_400).is_ok() && at(&day, T + 86_401).is_err());
    let any = Verifier::new(SECRET).unwrap().tolerance(Duration::MAX);
    assert!(at(&any, i64::MIN).is_ok() && at(&any, i64::MAX).is_ok());
}

#[test]
fn the_ends_of_time_are_no_trouble() {
    let verifier = Verifier::new(SECRET).unwrap();
    assert!(at(&verifier, i64::MIN).is_err() && at(&verifier, i64::MAX).is_err());
    let last = sign::header(&[SECRET], i64::MAX, b"{}");
    assert!(verifier.verify_at(&last, b"{}", i64::MAX).is_ok());
    assert!(verifier.verify_at(&last, b"{}", i64::MIN).is_err());
    assert!(verifier.verify_at(sign::header(&[SECRET], 0, b"{}"), b"{}", 0).is_ok());
    let before_1970 = verifier.verify_at(sign::header(&[SECRET], -1, b"{}"), b"{}", 0);
    assert_eq!(before_1970, Err(VerifyError::Header(HeaderError::TimeFormat)));
}

#[test]
fn the_clock_can_be_any_function() {
    let now = Arc::new(AtomicI64::new(T));
    let hand = Arc::clone(&now);
    let verifier = Verifier::new(SECRET).unwrap().clock(move || hand.load(Ordering::Relaxed));
    let header = sign::header(&[SECRET], T, b"{}");
    assert!(verifier.verify(&header, b"{}").is_ok());
    assert!(format!("{verifier:?}").contains("function"), "{verifier:?}");
    now.store(T + 301, Ordering::Relaxed);
    assert!(verifier.verify(&header, b"{}").is_err());
}

#[test]
fn without_one_it_is_that_of_the_system() {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let verifier = Verifier::new(SECRET).unwrap();
    assert!(format!("{verifier:?}").contains("system"), "{verifier:?}");
    let header = sign::header(&[SECRET], i64::try_from(now).unwrap(), b"{}");
    assert!(verifier.verify(header, b"{}").is_ok());
}

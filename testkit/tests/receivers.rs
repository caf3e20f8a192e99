//! The suite for receivers: a correct one passes, and each kind of wrong one fails where it is wrong.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use l10n_testkit::outcome::Status;
use l10n_testkit::profile::Secret;
use l10n_testkit::receivers::{CASES, Judgement, ReceiverTarget, judge};
use l10n_webhook_verify::Verifier;
use tokio::net::TcpListener;

const SECRET: &str = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEF";

async fn judged(router: Router) -> Vec<Judgement> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    judge(&ReceiverTarget { url, secret: Secret::of(SECRET), ca: None, patience: Duration::from_secs(50) })
        .await
        .unwrap()
}

fn with(status: Status, judged: &[Judgement]) -> Vec<&'static str> {
    judged.iter().filter(|one| one.status == status).map(|one| one.id).collect()
}

fn verifying(accepts: fn(&HeaderMap, &[u8]) -> bool) -> Router {
    let hook = async move |headers: HeaderMap, body: Bytes| {
        if accepts(&headers, &body) { StatusCode::NO_CONTENT } else { StatusCode::BAD_REQUEST }
    };
    Router::new().route("/hook", post(hook)).layer(DefaultBodyLimit::max(1024 * 1024))
}

fn verified(secret: &str, headers: &HeaderMap, body: &[u8]) -> bool {
    Verifier::new(secret).unwrap().verify_request(headers, body).is_ok()
}

#[tokio::test]
async fn a_receiver_by_the_verify_crate_is_correct() {
    let judged = judged(verifying(|headers, body| verified(SECRET, headers, body))).await;
    assert_eq!(with(Status::Pass, &judged).len(), CASES.len() - 1, "{judged:#?}");
    assert_eq!(with(Status::NotRun, &judged), ["acts-once"]);
}

/// DEL-15
#[tokio::test]
async fn what_cannot_be_seen_from_outside_never_passes() {
    let judged = judged(verifying(|headers, body| verified(SECRET, headers, body))).await;
    let covering: Vec<_> = judged.iter().filter(|one| one.covers.contains(&"DEL-15")).collect();
    assert!(!covering.is_empty());
    for one in covering {
        assert!(one.status == Status::NotRun && !one.can_be_seen && one.saw.contains("from outside"), "{one:?}");
    }
}

/// A delivery whose signature a receiver's own comparison accepts: the value of `v1`, the right one, and the header's age.
fn comparing(accepts: fn(value: &str, right: &str, age: i64) -> bool) -> Router {
    let hook = async move |headers: HeaderMap, body: Bytes| {
        let header = headers.get("x-service-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut parts = header.split(',');
        let t = parts.next().and_then(|part| part.strip_prefix("t=")?.parse::<i64>().ok());
        let values: Vec<&str> = parts.filter_map(|part| part.strip_prefix("v1=")).collect();
        let now = now();
        let holds = t.is_some_and(|t| {
            let right = right(t, &body);
            values.iter().any(|value| accepts(value, &right, now - t))
        });
        if holds { StatusCode::NO_CONTENT } else { StatusCode::BAD_REQUEST }
    };
    Router::new().route("/hook", post(hook)).layer(DefaultBodyLimit::max(1024 * 1024))
}

#[expect(clippy::disallowed_methods, reason = "the receiver's own clock")]
fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// The right signature of a body.
fn right(t: i64, body: &[u8]) -> String {
    use hmac::{Hmac, KeyInit as _, Mac as _};
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(format!("{t}.").as_bytes());
    mac.update(body);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fresh(age: i64) -> bool {
    age.abs() <= 300
}

/// SIG-5
#[tokio::test]
async fn comparisons_of_a_part_of_the_signature_fail() {
    let right = judged(comparing(|value, right, age| value == right && fresh(age))).await;
    assert_eq!(with(Status::Fail, &right), Vec::<&str>::new(), "{right:#?}");
    let prefix = judged(comparing(|value, right, age| right.starts_with(value) && fresh(age))).await;
    assert_eq!(with(Status::Fail, &prefix), ["broken-signature", "empty-signature", "shortened-signature"]);
    let longer = judged(comparing(|value, right, age| value.starts_with(right) && fresh(age))).await;
    assert_eq!(with(Status::Fail, &longer), ["lengthened-signature"]);
    let eight = judged(comparing(|value, right, age| value.get(..8) == right.get(..8) && fresh(age))).await;
    assert_eq!(with(Status::Fail, &eight), ["shortened-signature", "lengthened-signature", "half-right-signature"]);
}

/// SIG-2
#[tokio::test]
async fn upper_case_hex_is_warned_of() {
    let judged = judged(comparing(|value, right, age| value.eq_ignore_ascii_case(right) && fresh(age))).await;
    assert_eq!(with(Status::Fail, &judged), Vec::<&str>::new());
    assert_eq!(with(Status::Warn, &judged), ["upper-case-signature"]);
}

/// SIG-10
#[tokio::test]
async fn a_tolerance_of_fifty_seconds_more_fails() {
    let judged = judged(comparing(|value, right, age| value == right && age.abs() <= 350)).await;
    assert_eq!(with(Status::Fail, &judged), ["stale", "future"]);
}

/// A receiver whose certificate nobody trusts is told from one that is not there.
#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_called_that() {
    let receiver = l10n_testkit::Receiver::builder().start().await.unwrap();
    let url = receiver.url("/hook");
    assert!(url.starts_with("https://"), "{url}");
    let target = ReceiverTarget { url, secret: Secret::of(SECRET), ca: None, patience: Duration::ZERO };
    let why = judge(&target).await.unwrap_err();
    assert!(why.contains("its certificate is not trusted") && why.contains("--ca"), "{why}");
}

#[tokio::test]
async fn one_that_accepts_everything_fails_at_every_refusal() {
    let judged = judged(verifying(|_, _| true)).await;
    let failed = with(Status::Fail, &judged);
    for id in ["tampered-body", "wrong-secret", "no-signature", "stale", "future", "two-wrong-signatures"] {
        assert!(failed.contains(&id), "{id}: {failed:?}");
    }
}

#[tokio::test]
async fn one_that_refuses_everything_passes_nothing() {
    let judged = judged(verifying(|_, _| false)).await;
    assert!(with(Status::Pass, &judged).is_empty(), "{judged:#?}");
    assert!(with(Status::Fail, &judged).contains(&"valid"));
    assert!(with(Status::NotRun, &judged).contains(&"tampered-body"));
}

#[tokio::test]
async fn one_that_looks_at_the_first_signature_alone_fails_at_two() {
    let judged = judged(verifying(|headers, body| {
        let mut headers = headers.clone();
        let value = headers.get("x-service-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let first: Vec<_> = value.split(',').take(2).map(str::to_owned).collect();
        if let Ok(value) = first.join(",").parse() {
            headers.insert("x-service-signature", value);
        }
        verified(SECRET, &headers, body)
    }))
    .await;
    assert_eq!(with(Status::Fail, &judged), ["two-signatures"]);
}

#[tokio::test]
async fn one_that_is_not_there_is_an_error_that_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    drop(listener);
    let target = ReceiverTarget { url, secret: Secret::of(SECRET), ca: None, patience: Duration::ZERO };
    assert!(judge(&target).await.unwrap_err().contains("cannot be reached"));
}

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
use l10n_testkit::receivers::{CASES, Judgement, Target, judge};
use l10n_webhook_verify::Verifier;
use tokio::net::TcpListener;

const SECRET: &str = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEF";

async fn judged(router: Router) -> Vec<Judgement> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    judge(&Target { url, secret: Secret::of(SECRET), ca: None, patience: Duration::from_secs(50) }).await.unwrap()
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
    assert_eq!(with(Status::Pass, &judged).len(), CASES.len(), "{judged:#?}");
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
    let target = Target { url, secret: Secret::of(SECRET), ca: None, patience: Duration::ZERO };
    assert!(judge(&target).await.unwrap_err().contains("cannot be reached"));
}

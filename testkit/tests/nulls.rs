//! No check passes on a server that keeps nothing of the specification.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use futures_util::StreamExt as _;
use l10n_testkit::nulls::{self, Null, NullOutcome, NullServer};

#[tokio::test(flavor = "multi_thread")]
async fn no_check_passes_on_a_server_that_keeps_nothing() {
    // More at once starve each other of answers in time, and a check that gets none judges nothing.
    let runs = Null::ALL.map(|null| nulls::run(null, Duration::from_secs(1), &[]));
    let outcomes: Vec<_> = futures_util::stream::iter(runs).buffer_unordered(4).collect().await;
    let mut not_run = Vec::new();
    for NullOutcome { null, mut passed, spared, .. } in outcomes.into_iter().map(Result::unwrap) {
        if !spared.is_empty() {
            not_run.push(format!("{null}: {}", spared.join(" ")));
        }
        if null == Null::Random {
            // What is answered at random, in the order that requests come in, may for once be what a check asks for.
            passed = passes_again(null, passed).await;
        }
        assert_eq!(passed, Vec::<&str>::new(), "pass on {null}");
    }
    assert_eq!(not_run, Vec::<String>::new(), "are not run");
}

/// Checks of these that pass once more when they are alone, so that they meet other answers.
async fn passes_again(null: Null, passed: Vec<&'static str>) -> Vec<&'static str> {
    let mut again = Vec::new();
    for id in passed {
        again.extend(nulls::run(null, Duration::from_secs(1), &[id.to_owned()]).await.unwrap().passed);
    }
    again
}

#[tokio::test]
async fn a_null_server_answers_as_it_is_called() {
    let client = reqwest::Client::builder().no_proxy().tls_backend_preconfigured(trusts_no_one()).build().unwrap();
    let ask = async |null| {
        let server = NullServer::start(null).await.unwrap();
        let answer = client.post(format!("{}/x", server.base_url)).body("asked").send().await.ok()?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        assert!(headers.contains_key("x-correlation-id"));
        Some((status, answer.text().await.unwrap()))
    };
    assert_eq!(ask(Null::Empty(201)).await, Some((201, "{}".to_owned())));
    assert_eq!(ask(Null::Nothing).await, Some((204, String::new())));
    assert_eq!(ask(Null::Echo).await, Some((200, "asked".to_owned())));
    assert_eq!(ask(Null::Closes).await, None);
    let (status, body) = ask(Null::Error(401, "unauthorized")).await.unwrap();
    assert!(status == 401 && body.contains("\"error\":\"unauthorized\""), "{status} {body}");
    let (status, body) = ask(Null::Constant(200, "queued")).await.unwrap();
    assert!(status == 200 && body.contains("\"status\": \"queued\""), "{status} {body}");
    let (status, body) = ask(Null::Page).await.unwrap();
    assert!(status == 200 && body.starts_with("<!doctype html>"), "{status} {body}");
}

fn trusts_no_one() -> rustls::ClientConfig {
    rustls::ClientConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}

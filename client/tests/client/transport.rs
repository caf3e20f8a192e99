//! Failures of the connection, told apart.

use std::sync::Arc;
use std::time::{Duration, Instant};

use l10n_client::{Error, TransportError, TransportKind, reqwest};
use tokio::net::TcpListener;

use crate::support::{Fault, Names, Raw, builder, health, raw_answer};

async fn failure(address: &str) -> Box<TransportError> {
    failure_within(address, Duration::from_secs(15)).await
}

async fn failure_within(address: &str, timeout: Duration) -> Box<TransportError> {
    let client =
        builder(address).max_retries(0).request_timeout(timeout).correlation_ids(|| "sent-1".into()).build().unwrap();
    match client.health().await.unwrap_err() {
        Error::Transport(error) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_refused_connection_has_not_reached_the_server() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = failure(&format!("http://{address}")).await;
    assert_eq!((error.kind, error.may_have_reached_server), (TransportKind::Connect, false));
    assert_eq!(error.correlation_id, "sent-1");
    let text = error.to_string().replace(&address.to_string(), "ADDRESS");
    insta::assert_snapshot!(text, @"health::read: http://ADDRESS/v1 does not answer: no connection; check that the service runs and that the base URL is right (Connection refused (os error 111)) [x-correlation-id sent-1]");
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_told() {
    let names = Names::that_lead_to(None);
    let asked = names.asked.subscribe();
    let client = builder("http://l10n.test")
        .http_builder(reqwest::Client::builder().dns_resolver(Arc::new(names)))
        .no_proxy()
        .max_retries(2)
        .build()
        .unwrap();
    let Error::Transport(error) = client.health().await.unwrap_err() else { panic!() };
    assert_eq!((error.kind, error.may_have_reached_server), (TransportKind::Dns, false), "{error:?}");
    assert_eq!(*asked.borrow(), 3);
}

#[tokio::test]
async fn a_server_that_hangs_is_left_in_time() {
    let server = Raw::start(vec![Fault::Hang]).await;
    let begun = Instant::now();
    let error = failure_within(&server.address, Duration::from_secs(1)).await;
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!((error.kind, error.may_have_reached_server), (TransportKind::Timeout, true));
}

/// The total timeout covers all requests of a call.
#[tokio::test]
async fn the_budget_of_a_call_holds_over_its_requests() {
    let server = Raw::start(vec![Fault::Hang]).await;
    let client = builder(&server.address)
        .request_timeout(Duration::from_millis(300))
        .total_timeout(Duration::from_secs(2))
        .max_retries(1_000)
        .build()
        .unwrap();
    let begun = Instant::now();
    client.health().await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert!((2..=7).contains(&server.requests()), "{}", server.requests());
}

#[tokio::test]
async fn what_is_no_whole_http_answer_is_an_interruption() {
    let cut = raw_answer("200 OK", "", &health().to_string());
    for bytes in [
        Vec::new(),
        b"SSH-2.0-OpenSSH_9.9\r\n".to_vec(),
        b"HTTP/1.1 200 OK\r\ncontent-len".to_vec(),
        b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n".to_vec(),
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".to_vec(),
        cut[..cut.len() - 3].to_vec(),
    ] {
        let server = Raw::start(vec![Fault::Write(bytes.clone())]).await;
        let error = failure(&server.address).await;
        let told = (error.kind, error.may_have_reached_server);
        assert_eq!(told, (TransportKind::Interrupted, true), "{}: {error:?}", String::from_utf8_lossy(&bytes));
    }
}

/// An error whose body breaks off is still that error.
#[tokio::test]
async fn a_status_counts_although_its_body_breaks_off() {
    let server =
        Raw::start(vec![Fault::Write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 100\r\n\r\n{\"err".to_vec())]).await;
    let client = builder(&server.address).max_retries(0).build().unwrap();
    assert_eq!(client.health().await.unwrap_err().status(), Some(404));
}

/// A program that prints an error with its sources prints each fact once; the whole chain is at hand all the same.
#[tokio::test]
async fn an_error_and_its_sources_say_nothing_twice() {
    let nowhere = builder("http://127.0.0.1:1").max_retries(0).build().unwrap();
    let error = nowhere.health().await.unwrap_err();
    let mut printed = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        printed.push_str(&format!(": {inner}"));
        source = inner.source();
    }
    assert_eq!(printed.matches("Connection refused").count(), 1, "{printed}");
    let Error::Transport(error) = error else { panic!() };
    assert!(error.cause().is::<reqwest::Error>());
}

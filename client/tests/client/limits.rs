//! Servers that send too much, or redirect.

use std::time::Duration;

use l10n_client::api::publish::Publish;
use l10n_client::{Error, TransportKind, reqwest};
use wiremock::ResponseTemplate;

use crate::samples;
use crate::support::{Fault, Raw, answering, builder, error, health, ok, project, requests};

#[tokio::test]
async fn an_answer_over_the_cap_is_not_read() {
    let body = samples::meta().to_string();
    for (cap, fits) in [(body.len(), true), (body.len() - 1, false)] {
        let server = answering([ResponseTemplate::new(200).set_body_raw(body.clone(), "application/json")]).await;
        let client = builder(&server.uri()).max_response_bytes(cap).build().unwrap();
        let result = client.project("prj_1").meta().await;
        assert_eq!(result.is_ok(), fits);
        assert!(fits || matches!(result, Err(Error::Decode(_))));
    }
}

/// The body announces no length and does not end.
#[tokio::test]
async fn an_endless_answer_ends_at_the_cap() {
    let mut endless = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    for _ in 0..100 {
        endless.extend_from_slice(b"1000\r\n");
        endless.extend_from_slice(&[b' '; 0x1000]);
        endless.extend_from_slice(b"\r\n");
    }
    let server = Raw::start(vec![Fault::Write(endless)]).await;
    let client = builder(&server.address).max_response_bytes(100_000).build().unwrap();
    let error = client.health().await.unwrap_err();
    assert!(error.to_string().contains("exceeds 100000 bytes"), "{error}");
}

/// Memory is taken for bytes that arrive: this length alone would be more than there is.
#[tokio::test]
async fn an_announced_length_takes_no_memory() {
    let announced = b"HTTP/1.1 200 OK\r\ncontent-length: 9223372036854775808\r\n\r\n{".to_vec();
    let server = Raw::start(vec![Fault::Write(announced)]).await;
    let client = builder(&server.address).max_response_bytes(usize::MAX).max_retries(0).build().unwrap();
    let Error::Transport(error) = client.health().await.unwrap_err() else { panic!() };
    assert_eq!(error.kind, TransportKind::Interrupted, "{error}");
}

/// The cap applies to the unpacked size: 200,000 bytes that travel in some 300.
#[tokio::test]
async fn a_compressed_answer_counts_unpacked() {
    let server = answering([ResponseTemplate::new(200)
        .set_body_raw(include_bytes!("spaces.json.gz").to_vec(), "application/json")
        .insert_header("content-encoding", "gzip")])
    .await;
    assert_eq!(requests(&server).await.len(), 0);
    let small = builder(&server.uri()).max_response_bytes(100_000).build().unwrap();
    let error = small.health().await.unwrap_err();
    assert!(error.to_string().contains("exceeds 100000 bytes"), "{error}");
    let large = builder(&server.uri()).max_response_bytes(300_000).build().unwrap();
    assert_eq!(large.health().await.unwrap().status, "ok");
    assert!(requests(&server).await[0].headers["accept-encoding"].to_str().unwrap().contains("gzip"));
}

/// Keys must not travel to another address.
#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = answering([ok(samples::meta())]).await;
    for status in [301, 302, 303, 307, 308] {
        let to = format!("{}/v1/projects/prj_1/meta", elsewhere.uri());
        let server = answering([ResponseTemplate::new(status).insert_header("location", to.as_str())]).await;
        let failure = project(&server.uri()).meta().await.unwrap_err();
        let Error::Redirected(redirect) = &failure else { panic!("{failure:?}") };
        assert_eq!((redirect.status, redirect.location.as_deref()), (status, Some(to.as_str())));
        assert_eq!(requests(&server).await.len(), 1);
    }
    assert!(requests(&elsewhere).await.is_empty());
}

/// An HTTP client that follows redirects.
pub(crate) fn following() -> reqwest::Client {
    // Without a process-wide provider a finished client needs TLS settings of its own: a builder supplies them here.
    let tls =
        rustls::ClientConfig::builder_with_provider(std::sync::Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(tls).build().unwrap()
}

#[tokio::test]
async fn a_client_of_the_applications_own_that_follows_redirects_is_found_out() {
    let elsewhere = answering([ok(health())]).await;
    let to = format!("{}/v1/health", elsewhere.uri());
    let server = answering([ResponseTemplate::new(302).insert_header("location", to.as_str())]).await;
    let failure = builder(&server.uri()).http_client(following()).build().unwrap().health().await.unwrap_err();
    assert!(matches!(failure, Error::Redirected(_)), "{failure:?}");

    let conflict = builder(&server.uri()).http_client(following()).connect_timeout(Duration::from_secs(1)).build();
    assert_eq!(
        conflict.unwrap_err().to_string(),
        "`connect_timeout` has no effect beside `http_client`: leave one of the two out"
    );
}

/// A redirect that keeps the method: the target carries the write out, if anyone sends it there.
#[tokio::test]
async fn a_write_may_have_been_carried_out_by_the_target_of_a_redirect_that_was_followed() {
    for followed in [true, false] {
        let moved = ResponseTemplate::new(308).insert_header("location", "/v1/moved");
        let server = answering([moved, ok(samples::published())]).await;
        let builder = builder(&server.uri()).correlation_ids(|| "deploy-8".into());
        let builder = if followed { builder.http_client(following()) } else { builder };
        let failure = builder.build().unwrap().project("prj_1").publish(&Publish::default()).await.unwrap_err();

        let sent: Vec<_> =
            requests(&server).await.iter().map(|sent| format!("{} {}", sent.method, sent.url.path())).collect();
        let Error::Redirected(redirect) = &failure else { panic!("{failure:?}") };
        assert!(redirect.location.as_ref().is_some_and(|to| to.ends_with("/v1/moved")), "{failure}");
        assert_eq!(failure.may_have_been_carried_out(), followed, "{failure}");
        if followed {
            assert_eq!(sent, ["POST /v1/projects/prj_1/publish", "POST /v1/moved"]);
            assert_eq!((redirect.status, failure.request_ids()), (200, &["deploy-8".to_owned()][..]));
            assert!(failure.to_string().contains("followed a redirect"), "{failure}");
        } else {
            assert_eq!(sent, ["POST /v1/projects/prj_1/publish"]);
            assert_eq!((redirect.status, failure.request_id()), (308, None));
            assert!(failure.to_string().contains("are not followed"), "{failure}");
        }
    }
}

#[tokio::test]
async fn a_builder_of_the_applications_own_does_not_bring_redirects_back() {
    let elsewhere = answering([ok(health())]).await;
    let to = format!("{}/v1/health", elsewhere.uri());
    let server = answering([ResponseTemplate::new(302).insert_header("location", to.as_str())]).await;
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::limited(10));
    builder(&server.uri()).http_builder(http).build().unwrap().health().await.unwrap_err();
    assert!(requests(&elsewhere).await.is_empty());
}

#[tokio::test]
async fn an_error_body_without_end_is_still_an_error() {
    let server = answering([error(404, &"x".repeat(2_000_000))]).await;
    let failure = project(&server.uri()).meta().await.unwrap_err();
    assert_eq!(failure.status(), Some(404));
    assert!(failure.to_string().len() < 1_000);
}

/// A limit that cannot be reached counts as none.
#[tokio::test]
async fn a_timeout_may_be_as_long_as_there_is_time() {
    let server = answering([ok(health())]).await;
    let client = builder(&server.uri()).request_timeout(Duration::MAX).total_timeout(Duration::MAX).build().unwrap();
    client.health().await.unwrap();
}

#[test]
fn settings_that_cannot_be_kept_are_refused_by_name() {
    let refused = |builder: l10n_client::Builder| builder.build().unwrap_err().to_string();
    let base = || builder("https://l10n.example.com");
    assert!(refused(base().request_timeout(Duration::ZERO)).contains("request_timeout"));
    assert!(refused(base().max_response_bytes(0)).contains("max_response_bytes"));
    assert!(refused(base().user_agent("a\r\nb: c")).contains("user agent"));
    assert!(refused(base().root_certificates_pem("nonsense")).contains("BEGIN CERTIFICATE"));
    assert!(refused(l10n_client::Client::builder("https://x.example")).contains("/v1"));
}

//! The scripted receiver does what it is told to, and sees what was sent.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use http::{HeaderValue, StatusCode};
use l10n_testkit::receiver::{Answer, Authority, Certificate, Gate, Handshake, Receiver};

/// A sender that trusts that authority alone.
fn sender(ca: &str) -> reqwest::Client {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .tls_certs_only([reqwest::Certificate::from_pem(ca.as_bytes()).unwrap()])
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .unwrap()
}

async fn post(receiver: &Receiver, path: &str, body: &'static str) -> reqwest::Result<reqwest::Response> {
    sender(receiver.ca_pem()).post(receiver.url(path)).header("x-test", "one").body(body).send().await
}

#[tokio::test]
async fn deliveries_are_recorded_as_they_came() {
    let receiver = Receiver::start().await.unwrap();
    let before = Instant::now();
    let sender = sender(receiver.ca_pem());
    for body in ["{\"a\": 1}", ""] {
        let request = sender.post(receiver.url("/hook?x=%20")).header("x-test", "one").body(body);
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
    let deliveries = receiver.wait_until("two answers", |all| all.iter().filter(|one| one.answered).count() == 2);
    let deliveries = deliveries.await.unwrap();
    let [first, second] = deliveries.as_slice() else { panic!("{deliveries:?}") };
    assert_eq!((first.method.as_str(), first.uri.to_string()), ("POST", "/hook?x=%20".to_owned()));
    assert_eq!((first.header("x-test"), first.header("x-other")), (Some("one"), None));
    assert_eq!((&*first.body, &*second.body), (&b"{\"a\": 1}"[..], &b""[..]));
    assert_eq!((first.connection, second.connection, receiver.connections()), (0, 0, 1));
    assert!(before <= first.arrived && first.ended.unwrap() <= second.arrived);
    assert!(!first.overlaps(second) && !second.overlaps(first));
}

#[tokio::test]
async fn it_speaks_plain_http_where_it_is_told_to() {
    let receiver = Receiver::builder().plain_http().start().await.unwrap();
    assert!(receiver.url("/hook").starts_with("http://127.0.0.1:"));
    assert_eq!(post(&receiver, "/hook", "x").await.unwrap().status(), 200);
    assert_eq!(receiver.wait_for(1).await.unwrap()[0].body, "x");
}

#[tokio::test]
async fn each_path_has_its_script() {
    let receiver = Receiver::start().await.unwrap();
    receiver.answer_in_turn("/turn", [Answer::status(StatusCode::INTERNAL_SERVER_ERROR), Answer::ok().body("fine")]);
    receiver.answer_by("/by", |delivery| match &*delivery.body {
        b"yes" => Answer::status(StatusCode::NO_CONTENT),
        _ => Answer::status(StatusCode::GONE),
    });
    receiver.answer("/away", Answer::redirect(StatusCode::FOUND, HeaderValue::from_static("https://other.example/")));
    for (path, body, status, text) in [
        ("/turn", "", 500, ""),
        ("/turn?again", "", 200, "fine"),
        ("/turn", "", 200, "fine"),
        ("/by", "yes", 204, ""),
        ("/by", "no", 410, ""),
        ("/away", "", 302, ""),
        ("/other", "", 200, ""),
    ] {
        let answer = post(&receiver, path, body).await.unwrap();
        assert_eq!(answer.status(), status, "{path}");
        assert_eq!(answer.text().await.unwrap(), text, "{path}");
    }
    receiver.answer("/turn", Answer::status(StatusCode::IM_A_TEAPOT));
    assert_eq!(post(&receiver, "/turn", "").await.unwrap().status(), 418);
    assert_eq!(post(&receiver, "/away", "").await.unwrap().headers()["location"], "https://other.example/");
}

#[tokio::test]
async fn an_answer_waits_for_its_delay_and_for_its_gate() {
    let receiver = Receiver::start().await.unwrap();
    let gate = Gate::closed();
    receiver.answer("/hook", Answer::ok().after(Duration::from_millis(30)).held(&gate));
    let (one, two, ()) = tokio::join!(post(&receiver, "/hook", "1"), post(&receiver, "/hook", "2"), async {
        let held = receiver.wait_for(2).await.unwrap();
        assert!(held.iter().all(|delivery| delivery.ended.is_none()));
        assert!(held[0].overlaps(&held[1]) && held[1].overlaps(&held[0]));
        gate.open();
    });
    assert_eq!((one.unwrap().status(), two.unwrap().status()), (StatusCode::OK, StatusCode::OK));
    let ended = receiver.wait_until("both answered", |all| all.iter().all(|delivery| delivery.answered)).await.unwrap();
    assert!(ended.iter().all(|delivery| delivery.ended.unwrap() >= delivery.arrived + Duration::from_millis(30)));
}

#[tokio::test]
async fn a_sender_that_gives_up_is_seen() {
    let receiver = Receiver::start().await.unwrap();
    receiver.answer("/hook", Answer::silence());
    let sending = tokio::spawn(sender(receiver.ca_pem()).post(receiver.url("/hook")).send());
    receiver.wait_for(1).await.unwrap();
    sending.abort();
    let gone = receiver.wait_until("an end", |all| all[0].ended.is_some()).await.unwrap();
    assert!(!gone[0].answered);
}

#[tokio::test]
async fn bodies_can_be_huge_and_without_an_end() {
    let receiver = Receiver::start().await.unwrap();
    receiver.answer("/huge", Answer::ok().huge(512 * 1024 * 1024));
    receiver.answer("/large", Answer::ok().huge(100_000));
    receiver.answer("/drip", Answer::ok().drip(Duration::from_millis(1)));
    let huge = post(&receiver, "/huge", "").await.unwrap();
    assert_eq!(huge.content_length(), Some(512 * 1024 * 1024));
    drop(huge);
    assert_eq!(post(&receiver, "/large", "").await.unwrap().bytes().await.unwrap(), vec![0; 100_000]);
    let mut drip = post(&receiver, "/drip", "").await.unwrap();
    for _ in 0..3 {
        assert!(!drip.chunk().await.unwrap().unwrap().is_empty());
    }
    drop(drip);
    let all = receiver.wait_until("ends", |all| all.iter().all(|delivery| delivery.ended.is_some())).await.unwrap();
    assert!(!all[0].answered && all[0].sent < 512 * 1024 * 1024, "cut off: {:?}", all[0]);
    assert!(all[1].answered && all[1].sent == 100_000);
    assert!(!all[2].answered && all[2].sent >= 3);
}

#[tokio::test]
async fn connections_break_where_the_script_says_so() {
    let receiver = Receiver::start().await.unwrap();
    receiver.answer("/hook", Answer::close());
    assert!(post(&receiver, "/hook", "").await.unwrap_err().is_request());
    let closed = receiver.wait_until("an end", |all| all[0].ended.is_some()).await.unwrap();
    assert!(!closed[0].answered);

    let receiver = Receiver::builder().handshake(Handshake::Close).start().await.unwrap();
    assert!(post(&receiver, "/hook", "").await.unwrap_err().is_connect());

    let receiver = Receiver::builder().handshake(Handshake::Stall).start().await.unwrap();
    let sending = tokio::spawn(sender(receiver.ca_pem()).post(receiver.url("/hook")).send());
    receiver.wait_for_connections(1).await.unwrap();
    assert!(!sending.is_finished());
    drop(receiver);
    assert!(sending.await.unwrap().unwrap_err().is_connect(), "it ends what it holds when it is dropped");
}

#[tokio::test]
async fn certificates_are_as_bad_as_they_are_wanted() {
    let authority = Authority::new().unwrap();
    for (kind, complaint) in [
        (Certificate::Valid, None),
        (Certificate::WrongHost, Some("NotValidForName")),
        (Certificate::Expired, Some("Expired")),
        (Certificate::SelfSigned, Some("UnknownIssuer")),
    ] {
        let receiver = Receiver::builder().authority(&authority).certificate(kind).start().await.unwrap();
        assert_eq!(receiver.ca_pem(), authority.pem());
        let outcome = post(&receiver, "/hook", "").await;
        match complaint {
            None => assert_eq!(outcome.unwrap().status(), 200),
            Some(complaint) => {
                let error = format!("{:?}", outcome.unwrap_err());
                assert!(error.contains(complaint), "{kind:?}: {error}");
                assert_eq!(receiver.look(<[_]>::len), 0, "{kind:?}");
            }
        }
    }
}

#[tokio::test]
async fn it_is_known_by_its_host_name() {
    let receiver = Receiver::builder().host("localhost").start().await.unwrap();
    assert_eq!(receiver.url("/"), format!("https://localhost:{}/", receiver.address().port()));
    assert_eq!(post(&receiver, "/", "").await.unwrap().status(), 200);
}

#[tokio::test]
async fn waiting_in_vain_says_what_was_missing() {
    let receiver = Receiver::builder().patience(Duration::from_millis(50)).start().await.unwrap();
    post(&receiver, "/hook", "secret").await.unwrap();
    let error = format!("{:?}", receiver.wait_for(2).await.unwrap_err());
    assert_eq!(
        error,
        "2 deliveries: not seen within 50ms; seen: 1 connections; deliveries: 1 to /hook; 0 of them not yet answered"
    );
    let error = receiver.wait_until("a second event", |all| all.len() == 2).await.unwrap_err();
    assert!(error.to_string().starts_with("a second event: not seen"));
    assert!(receiver.wait_for_connections(7).await.unwrap_err().to_string().starts_with("7 connections: not seen"));
}

#[tokio::test]
async fn it_stops_listening_when_it_is_dropped() {
    let receiver = Receiver::start().await.unwrap();
    let url = receiver.url("/hook");
    let sender = sender(receiver.ca_pem());
    sender.post(&url).send().await.unwrap();
    drop(receiver);
    // The task that listens ends soon after.
    while sender.post(&url).send().await.is_ok() {
        tokio::task::yield_now().await;
    }
}

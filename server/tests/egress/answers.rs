//! The answers of endpoints.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_server::egress::Outgoing;
use l10n_testkit::receiver::{Answer, Receiver};

use crate::support::{BODY, delivered, failed, plain, script, send, trusting};

/// WH-URL-14, WH-URL-15, §6 rules 1 to 4: what is sent is what arrives, over TLS, and nothing is added to it.
#[tokio::test]
async fn a_delivery_arrives_as_it_was_sent() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |_| {});
    receiver
        .answer("/hooks", Answer::ok().header(HeaderName::from_static("set-cookie"), HeaderValue::from_static("a=b")));
    let headers = HeaderMap::from_iter([
        (HeaderName::from_static("content-type"), HeaderValue::from_static("application/json")),
        (HeaderName::from_static("x-service-signature"), HeaderValue::from_static("t=1,v1=00")),
    ]);
    let target = egress.parse(&receiver.url("/hooks?y=z%20a")).unwrap();
    for _ in 0..2 {
        let delivery = Outgoing { headers: headers.clone(), body: Bytes::from_static(BODY) };
        delivered(&egress.send(&target, delivery).await);
    }
    for delivery in receiver.wait_for(2).await.unwrap() {
        assert_eq!((delivery.method, delivery.uri.to_string()), (Method::POST, "/hooks?y=z%20a".to_owned()));
        assert_eq!(delivery.body, BODY);
        let mut expected = headers.clone();
        expected.insert("host", HeaderValue::try_from(receiver.address().to_string()).unwrap());
        expected.insert("content-length", HeaderValue::from(BODY.len()));
        assert_eq!(delivery.headers, expected);
    }
}

/// DEL-1.
#[tokio::test]
async fn any_2xx_is_a_success() {
    let receiver = Receiver::builder().plain_http().start().await.unwrap();
    let egress = plain(|_| {});
    for status in [200, 201, 202, 203, 204, 206, 226, 299] {
        receiver.answer("/", Answer::status(StatusCode::from_u16(status).unwrap()));
        let sent = send(&egress, &receiver.url("/")).await;
        assert_eq!((sent.status, sent.failure), (Some(status), None));
    }
}

/// DEL-2, DLV-12: the status is told, and nothing else of the answer.
#[tokio::test]
async fn any_other_status_is_a_failure() {
    let receiver = Receiver::builder().plain_http().start().await.unwrap();
    let egress = plain(|_| {});
    for status in [300, 304, 305, 400, 401, 403, 404, 405, 410, 413, 418, 422, 429, 500, 502, 503, 504, 599, 999] {
        let marked = Answer::status(StatusCode::from_u16(status).unwrap())
            .header(HeaderName::from_static("x-marker"), HeaderValue::from_static("m4rk3r"))
            .body("m4rk3r");
        receiver.answer("/", marked);
        let sent = send(&egress, &receiver.url("/")).await;
        assert_eq!(sent.status, Some(status));
        let failure = sent.failure.unwrap();
        assert_eq!(failure.kind, DeliveryErrorKind::Status, "{status}");
        assert!(failure.text.contains(&status.to_string()) && !failure.text.contains("m4rk3r"), "{}", failure.text);
    }
}

/// DEL-3, WH-URL-13.
#[tokio::test]
async fn a_redirect_is_a_failure_and_not_followed() {
    let receiver = Receiver::builder().plain_http().start().await.unwrap();
    let elsewhere = Receiver::builder().plain_http().start().await.unwrap();
    let egress = plain(|_| {});
    for status in [301, 302, 303, 307, 308] {
        let location = HeaderValue::try_from(elsewhere.url("/secret")).unwrap();
        receiver.answer("/", Answer::redirect(StatusCode::from_u16(status).unwrap(), location));
        let sent = send(&egress, &receiver.url("/")).await;
        assert_eq!(sent.status, Some(status));
        let failure = sent.failure.unwrap();
        assert_eq!(failure.kind, DeliveryErrorKind::Redirect, "{status}");
        assert!(!failure.text.contains("secret") && !failure.text.contains("127.0.0.1"), "{}", failure.text);
    }
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test]
async fn informational_answers_are_waited_through() {
    let url = script::saying(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    )
    .await;
    delivered(&send(&plain(|_| {}), &url).await);
}

#[tokio::test]
async fn another_protocol_is_not_switched_to() {
    let url =
        script::saying("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n").await;
    let sent = send(&plain(|_| {}), &url).await;
    assert_eq!((sent.status, sent.failure.unwrap().kind), (Some(101), DeliveryErrorKind::Status));
}

#[tokio::test]
async fn what_is_no_http_is_said_to_be_none() {
    let egress = plain(|_| {});
    for answer in
        ["SSH-2.0-OpenSSH_9.9\r\n", "220 mail.example ESMTP\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\0\0\0\0\r\n\r\n"]
    {
        let (kind, text) = failed(send(&egress, &script::saying(answer).await).await);
        assert_eq!(kind, DeliveryErrorKind::Network, "{answer:?}");
        assert!(text.contains("not HTTP/1.1"), "{answer:?}: {text}");
        assert!(!text.contains("SSH") && !text.contains("ESMTP"), "{text}");
    }
}

#[tokio::test]
async fn a_connection_that_is_closed_without_an_answer_is_a_failure() {
    let egress = plain(|_| {});
    for answer in ["", "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\ncontent-le"] {
        let (kind, text) = failed(send(&egress, &script::saying(answer).await).await);
        assert_eq!(kind, DeliveryErrorKind::Network, "{answer:?}");
        assert!(text.contains("closed the connection"), "{answer:?}: {text}");
    }
}

/// S4: an endpoint cannot fill the server's memory.
#[tokio::test]
async fn a_head_without_an_end_is_not_read_on() {
    let egress = plain(|_| {});
    for (start, then) in [
        ("HTTP/1.1 200 OK\r\n", "x-a: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n"),
        ("HTTP/1.1 200 OK\r\nx-a: ", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
        ("HTTP/1.1 200 ", "OKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOKOK"),
    ] {
        let (kind, text) = failed(send(&egress, &script::repeating(start, then).await).await);
        assert_eq!(kind, DeliveryErrorKind::Network);
        assert!(text.contains("too large"), "{start:?}: {text}");
    }
}

/// DEL-6, AMB-25: the head decides; of the body 64 KiB are read, and a body that is cut short changes nothing.
#[tokio::test]
async fn a_huge_body_is_not_read_whole() {
    let receiver = Receiver::start().await.unwrap();
    let egress = trusting(&receiver, |_| {});
    receiver.answer("/", Answer::ok().huge(1 << 30));
    delivered(&send(&egress, &receiver.url("/")).await);
    let seen = receiver.wait_until("the end of the answer", |deliveries| deliveries[0].ended.is_some()).await.unwrap();
    // What the sockets' buffers took is more than what was read.
    assert!(!seen[0].answered && seen[0].sent < 1 << 28, "{} bytes were taken", seen[0].sent);

    let url = script::saying("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort").await;
    delivered(&send(&plain(|_| {}), &url).await);
}

//! Whom deliveries trust.

use std::io::Write as _;

use l10n_api_types::deliveries::DeliveryErrorKind;
use l10n_server::egress::{Egress, EgressSettings};
use l10n_testkit::receiver::{Authority, Certificate, Handshake, Receiver};

use crate::support::{delivered, failed, local_settings, plain, send, trusting};

/// DEL-20: each in words that tell its owner what is wrong.
#[tokio::test]
async fn a_certificate_that_is_not_in_order_is_a_failure() {
    for (certificate, expected) in [
        (Certificate::SelfSigned, "self-signed"),
        (Certificate::Expired, "has expired"),
        (Certificate::WrongHost, "is for another host"),
    ] {
        let receiver = Receiver::builder().certificate(certificate).start().await.unwrap();
        let (kind, text) = failed(send(&trusting(&receiver, |_| {}), &receiver.url("/")).await);
        assert_eq!(kind, DeliveryErrorKind::Tls, "{certificate:?}");
        assert!(text.contains(expected), "{certificate:?}: {text}");
        assert_eq!(receiver.deliveries().len(), 0, "{certificate:?}");
    }
}

/// DEL-20: an authority is trusted if the machine or the operator trusts it.
#[tokio::test]
async fn an_unknown_authority_is_not_trusted() {
    let authority = Authority::new().unwrap();
    let receiver = Receiver::builder().authority(&authority).start().await.unwrap();
    let (kind, text) = failed(send(&Egress::new(&local_settings()).unwrap(), &receiver.url("/")).await);
    assert_eq!(kind, DeliveryErrorKind::Tls);
    assert!(text.contains("not publicly trusted"), "{text}");
    delivered(&send(&trusting(&receiver, |_| {}), &receiver.url("/")).await);
}

#[tokio::test]
async fn an_endpoint_without_tls_is_a_failure() {
    let receiver = Receiver::builder().plain_http().start().await.unwrap();
    let url = receiver.url("/").replace("http:", "https:");
    let (kind, text) = failed(send(&plain(|_| {}), &url).await);
    assert_eq!(kind, DeliveryErrorKind::Tls);
    assert!(text.contains("does not speak TLS"), "{text}");

    let receiver = Receiver::builder().handshake(Handshake::Close).start().await.unwrap();
    let (kind, _) = failed(send(&trusting(&receiver, |_| {}), &receiver.url("/")).await);
    assert_eq!(kind, DeliveryErrorKind::Network);
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_a_failure() {
    let address = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap().local_addr().unwrap();
    let (kind, text) = failed(send(&plain(|_| {}), &format!("https://{address}/")).await);
    assert_eq!(kind, DeliveryErrorKind::Network);
    assert!(text.contains("was refused"), "{text}");
}

#[test]
fn a_file_without_certificates_is_refused() {
    let refused = |content: &str| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(content.as_bytes()).unwrap();
        let settings = EgressSettings { extra_ca: Some(file.path().to_owned()), ..EgressSettings::default() };
        Egress::new(&settings).map(|_| ()).unwrap_err().to_string()
    };
    let pem = |content: &str| format!("-----BEGIN CERTIFICATE-----\n{content}\n-----END CERTIFICATE-----\n");
    for (content, expected) in [
        (String::new(), "does not contain a certificate in PEM form"),
        ("hunter2".to_owned(), "does not contain a certificate in PEM form"),
        (pem("AAAA"), "webhooks.extra_ca"),
        (pem("!"), "webhooks.extra_ca"),
    ] {
        let error = refused(&content);
        assert!(error.contains(expected) && !error.contains("hunter2"), "{content}: {error}");
    }
    let settings = EgressSettings { extra_ca: Some("/nowhere/ca.pem".into()), ..EgressSettings::default() };
    let error = Egress::new(&settings).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("/nowhere/ca.pem"), "{error}");
}

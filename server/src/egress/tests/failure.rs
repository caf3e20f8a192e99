use std::io;

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryErrorKind;
use rustls::{AlertDescription, CertificateError, Error, InvalidMessage, PeerIncompatible};

use crate::egress::failure::tls_error;
use crate::egress::{SendFailure, tls};

/// DEL-20: faults that a test's endpoint cannot show separately.
#[test]
fn each_fault_of_tls_has_words_of_its_own() {
    for (error, expected) in [
        (CertificateError::Expired.into(), "has expired"),
        (CertificateError::NotValidYet.into(), "is not valid yet"),
        (CertificateError::NotValidForName.into(), "is for another host"),
        (CertificateError::Revoked.into(), "has been revoked"),
        (CertificateError::UnknownIssuer.into(), "self-signed"),
        (CertificateError::BadEncoding.into(), "not one that a server may use"),
        (Error::InvalidMessage(InvalidMessage::InvalidContentType), "does not speak TLS"),
        (
            Error::PeerIncompatible(PeerIncompatible::ServerDoesNotSupportTls12Or13),
            "no TLS version or cipher in common",
        ),
        (Error::AlertReceived(AlertDescription::ProtocolVersion), "no TLS version or cipher in common"),
        (Error::AlertReceived(AlertDescription::UnrecognisedName), "knows no certificate for the URL's host"),
        (Error::AlertReceived(AlertDescription::CertificateRequired), "asks for a client certificate"),
        (Error::NoApplicationProtocol, "does not offer HTTP/1.1"),
        (Error::DecryptError, "handshake failed"),
    ] {
        let failure = tls::failure(&error);
        assert_eq!(failure.kind, DeliveryErrorKind::Tls, "{error}");
        assert!(failure.text.contains(expected), "{error}: {}", failure.text);
    }
}

#[test]
fn a_fault_of_tls_is_found_behind_other_errors() {
    let error = Error::AlertReceived(AlertDescription::CertificateRequired);
    let wrapped = io::Error::other(io::Error::new(io::ErrorKind::InvalidData, error.clone()));
    assert_eq!(tls_error(&wrapped), Some(&error));
    assert_eq!(tls_error(&io::Error::other("something else")), None);
}

/// DLV-11: each text names the observed fault and gives advice.
#[test]
fn every_status_comes_with_advice() {
    for number in 100..=999 {
        let failure = SendFailure::status(StatusCode::from_u16(number).unwrap());
        let (seen, advice) = failure.text.split_once(". ").or(failure.text.split_once(", ")).unwrap();
        assert!(seen.contains(&number.to_string()), "{}", failure.text);
        assert!(advice.ends_with('.'), "{}", failure.text);
    }
}

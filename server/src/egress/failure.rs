//! Reasons for a failed delivery, in words for the owner of the endpoint: what was seen, then what to do.
//!
//! No text holds an address that a name resolved to, nor anything that the endpoint sent except its status: the API shows
//! the log to tenants, and it must not become a way to look into a network. The beginning of an answer is shown in the
//! dashboard alone; it comes from a public address, or from a network that the operator has opened.

use std::error::Error;
use std::io;
use std::time::Duration;

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryErrorKind;

/// The reason why a delivery cannot be sent, or was sent without success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendFailure {
    /// The kind of failure, for programs.
    pub kind: DeliveryErrorKind,
    /// The message for people: a sentence about the observed fault, and one with advice.
    pub text: String,
}

impl SendFailure {
    pub(super) fn new(kind: DeliveryErrorKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    pub(super) fn blocked_literal() -> Self {
        Self::new(
            DeliveryErrorKind::BlockedAddress,
            "the URL's address is not public. Deliveries go to public addresses alone: use the endpoint's public host name.",
        )
    }

    pub(super) fn blocked_name() -> Self {
        Self::new(
            DeliveryErrorKind::BlockedAddress,
            "the URL's host resolves to an address that is not public. Deliveries go to public addresses alone: every A \
             and AAAA record of the host must name one.",
        )
    }

    pub(super) fn open_timeout(stage: Stage, limit: Duration) -> Self {
        let limit = limit.as_secs_f32();
        match stage {
            Stage::Dns => Self::new(
                DeliveryErrorKind::Dns,
                format!(
                    "name servers did not answer for the URL's host within {limit} s. Check the name servers of its domain."
                ),
            ),
            Stage::Tcp => Self::new(
                DeliveryErrorKind::ConnectTimeout,
                format!(
                    "no connection was established within {limit} s. Check that the endpoint is up and that no firewall drops \
                     what comes to its port."
                ),
            ),
            Stage::Tls => Self::new(
                DeliveryErrorKind::ConnectTimeout,
                format!(
                    "the TLS handshake was not done within {limit} s. Check that the endpoint speaks TLS on the URL's port and \
                     is not overloaded."
                ),
            ),
        }
    }

    pub(super) fn response_timeout(limit: Duration) -> Self {
        let limit = limit.as_secs_f32();
        Self::new(
            DeliveryErrorKind::ResponseTimeout,
            format!("the endpoint did not answer within {limit} s. Let it answer 2xx at once and work afterwards."),
        )
    }

    /// The failure that a status other than 2xx means.
    pub(super) fn status(status: StatusCode) -> Self {
        let number = status.as_u16();
        if matches!(number, 301 | 302 | 303 | 307 | 308) {
            let text = format!(
                "the endpoint answered {number}, a redirect, which is not followed. Register the URL that it leads to."
            );
            return Self::new(DeliveryErrorKind::Redirect, text);
        }
        let advice = match number {
            401 | 403 | 407 => {
                "Let it take requests without credentials and check their signature instead; look at firewalls and bot filters."
            }
            404 | 405 | 410 => "Check that the URL's path is the one that takes POST requests.",
            413 => "Let it take larger bodies.",
            429 => "Let it take more requests, or answer at once and work afterwards.",
            500.. => "Look into its log for the time of this attempt.",
            _ => "Any 2xx status counts as delivered.",
        };
        Self::new(DeliveryErrorKind::Status, format!("the endpoint answered {number}. {advice}"))
    }

    /// The failure that an error while connecting means.
    pub(super) fn connecting(error: &io::Error) -> Self {
        let text = match error.kind() {
            io::ErrorKind::ConnectionRefused => {
                "the connection was refused. Check that the endpoint is up and listens on the URL's port."
            }
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                "there is no way to the URL's host. Check its address records and its network."
            }
            _ => "the connection could not be established. Check that the endpoint can be reached from the internet.",
        };
        Self::new(DeliveryErrorKind::Network, text)
    }

    /// The failure that an error on an open connection means.
    pub(super) fn exchanging(error: &hyper::Error) -> Self {
        if let Some(error) = tls_error(error) {
            return super::tls::failure(error);
        }
        let text = if error.is_parse_too_large() {
            "the endpoint's answer has a head that is too large. Let it send fewer or shorter headers."
        } else if error.is_parse() {
            "the endpoint's answer is not HTTP/1.1. Check what listens on the URL's port."
        } else {
            "the endpoint closed the connection without an answer. Look into its log for the time of this attempt."
        };
        Self::new(DeliveryErrorKind::Network, text)
    }
}

/// The steps before a request is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Dns,
    Tcp,
    Tls,
}

/// The error of TLS that an error was caused by.
pub(super) fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        // An io::Error hides the error that it was made of from `source`.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

use std::error::Error as StdError;
use std::{fmt, io, iter};

use l10n_api_types::{EndpointInfo, Rerun};

use super::advice;
use crate::resend::Resend;
use crate::transport::{BoxError, TimedOut};

/// The reason why no answer arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportKind {
    /// The host's name could not be resolved.
    Dns,
    /// No connection: refused or unreachable.
    Connect,
    /// No connection within the connect timeout.
    ConnectTimeout,
    /// TLS failed, for example because a certificate is not trusted.
    Tls,
    /// No complete answer within the timeout.
    Timeout,
    /// The connection broke, or the answer was not HTTP.
    Interrupted,
}

/// No complete answer arrived.
#[derive(Debug)]
#[non_exhaustive]
pub struct TransportError {
    /// The endpoint.
    pub endpoint: &'static EndpointInfo,
    /// The reason why no answer arrived.
    pub kind: TransportKind,
    /// True if the server may have seen the request and carried it out. False only if that is impossible.
    pub may_have_reached_server: bool,
    /// The base URL that was called.
    pub base_url: String,
    /// The `x-correlation-id` that was sent: [`Project::outcome_of`](crate::Project::outcome_of) finds the outcome of a
    /// write by it.
    pub correlation_id: String,
    pub(crate) resend: Resend,
    pub(crate) open: Vec<String>,
    cause: BoxError,
}

impl TransportError {
    /// The error of the HTTP client or of the transport. It is no [`source`](StdError::source), because the text of this
    /// error ends with that of its innermost cause.
    #[must_use]
    pub fn cause(&self) -> &(dyn StdError + Send + Sync + 'static) {
        &*self.cause
    }

    /// Reads the error of a transport.
    pub(crate) fn read(
        endpoint: &'static EndpointInfo,
        resend: Resend,
        base_url: String,
        correlation_id: String,
        source: BoxError,
    ) -> Self {
        let (kind, may_have_reached_server, cause) = classified(source);
        Self { endpoint, kind, may_have_reached_server, base_url, correlation_id, resend, open: Vec::new(), cause }
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            TransportKind::Dns => "the host's name cannot be resolved; check the base URL and the network",
            TransportKind::Connect => "no connection; check that the service runs and that the base URL is right",
            TransportKind::ConnectTimeout => "no connection in time; check the base URL, the network and firewalls",
            TransportKind::Tls => {
                "TLS failed; check the base URL and that the server's certificate is trusted (the builder takes \
                 further root certificates)"
            }
            TransportKind::Timeout => "no complete answer in time",
            TransportKind::Interrupted => "the connection broke before the answer was complete",
        };
        write!(f, "{}: {} does not answer: {what}", self.endpoint, self.base_url)?;
        if self.may_have_reached_server && self.resend != Resend::Always {
            let advice = match self.resend {
                Resend::Keyed => advice::SAME_KEY,
                _ if self.endpoint.rerun == Rerun::FromSources => advice::RERUN,
                _ => advice::ASK,
            };
            write!(f, "; it may have been carried out: {advice}")?;
        }
        write!(f, " ({}) [x-correlation-id {}]", root(&*self.cause), self.correlation_id)
    }
}

impl StdError for TransportError {}

/// An error and its sources, including those inside an I/O error.
fn chain<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    iter::successors(Some(error), |&error| match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(inner) => Some(inner as &(dyn StdError + 'static)),
        None => error.source(),
    })
}

/// The kind of an error, and whether the server may have seen the request. The URL in an error of the HTTP client is removed:
/// it may be long, and the endpoint says as much.
#[cfg(feature = "http")]
fn classified(source: BoxError) -> (TransportKind, bool, BoxError) {
    let source = match source.downcast::<reqwest::Error>() {
        Ok(source) => source.without_url(),
        Err(other) => return of_any_transport(other),
    };
    let connecting = source.is_connect();
    let kind = if source.is_dns() {
        TransportKind::Dns
    } else if chain(&source).any(|error| error.is::<rustls::Error>()) {
        TransportKind::Tls
    } else if source.is_timeout() {
        if connecting { TransportKind::ConnectTimeout } else { TransportKind::Timeout }
    } else if connecting {
        TransportKind::Connect
    } else {
        TransportKind::Interrupted
    };
    let may_have_reached_server = !connecting && !source.is_builder() && kind != TransportKind::Dns;
    (kind, may_have_reached_server, source.into())
}

#[cfg(not(feature = "http"))]
fn classified(source: BoxError) -> (TransportKind, bool, BoxError) {
    of_any_transport(source)
}

/// The kind of an error of which nothing is known but that there was no answer.
fn of_any_transport(source: BoxError) -> (TransportKind, bool, BoxError) {
    let kind = if source.is::<TimedOut>() { TransportKind::Timeout } else { TransportKind::Interrupted };
    (kind, true, source)
}

/// The innermost source, which is the most precise.
fn root(error: &(dyn StdError + 'static)) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default()
}

use std::error::Error as StdError;
use std::{fmt, io, iter};

use super::advice;
use crate::retry::Resend;

/// What kept an answer from arriving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportKind {
    /// The host's name could not be resolved.
    Dns,
    /// No connection: refused, unreachable.
    Connect,
    /// No connection within the connect timeout.
    ConnectTimeout,
    /// No agreement on TLS, such as a certificate that is not trusted.
    Tls,
    /// No whole answer within the timeout.
    Timeout,
    /// The connection broke, or what came was no HTTP.
    Interrupted,
}

/// No whole answer arrived.
#[derive(Debug)]
#[non_exhaustive]
pub struct TransportError {
    /// The endpoint.
    pub endpoint: &'static str,
    /// What kept it from arriving.
    pub kind: TransportKind,
    /// Whether the server may have seen the request, and carried it out. `false` only where that cannot be.
    pub may_have_reached_server: bool,
    /// The base URL that was called.
    pub base_url: String,
    /// The `x-correlation-id` that was sent: [`Project::outcome_of`](crate::Project::outcome_of) finds by it what became
    /// of a write.
    pub correlation_id: String,
    pub(crate) resend: Resend,
    pub(crate) open: Vec<String>,
    source: reqwest::Error,
}

impl TransportError {
    /// Reads what the HTTP client says. The URL is taken out: it may be long, and the endpoint says as much.
    pub(crate) fn read(
        endpoint: &'static str,
        resend: Resend,
        base_url: String,
        correlation_id: String,
        source: reqwest::Error,
    ) -> Self {
        let source = source.without_url();
        let connecting = source.is_connect();
        let kind = if source.is_dns() {
            TransportKind::Dns
        } else if is_tls(&source) {
            TransportKind::Tls
        } else if source.is_timeout() {
            if connecting { TransportKind::ConnectTimeout } else { TransportKind::Timeout }
        } else if connecting {
            TransportKind::Connect
        } else {
            TransportKind::Interrupted
        };
        let may_have_reached_server = !connecting && !source.is_builder() && kind != TransportKind::Dns;
        Self { endpoint, kind, may_have_reached_server, base_url, correlation_id, resend, open: Vec::new(), source }
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            TransportKind::Dns => "the host's name cannot be resolved; check the base URL and the network",
            TransportKind::Connect => "no connection; check that the service runs and that the base URL is right",
            TransportKind::ConnectTimeout => "no connection in time; check the base URL, the network and firewalls",
            TransportKind::Tls => {
                "no agreement on TLS; check the base URL and that the server's certificate is trusted (the builder takes \
                 further root certificates)"
            }
            TransportKind::Timeout => "no whole answer in time",
            TransportKind::Interrupted => "the connection broke before the whole answer was there",
        };
        write!(f, "{}: {} does not answer: {what}", self.endpoint, self.base_url)?;
        if self.may_have_reached_server && self.resend != Resend::Always {
            let advice = match self.resend {
                Resend::Keyed => advice::SAME_KEY,
                _ if advice::classifies_whole_input(self.endpoint) => advice::RERUN,
                _ => advice::ASK,
            };
            write!(f, "; it may have been carried out: {advice}")?;
        }
        write!(f, " ({}) [x-correlation-id {}]", root(&self.source), self.correlation_id)
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.source)
    }
}

/// An error and what is behind it, also behind an I/O error that only carries another one.
fn chain<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    iter::successors(Some(error), |&error| match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(inner) => Some(inner as &(dyn StdError + 'static)),
        None => error.source(),
    })
}

fn is_tls(error: &reqwest::Error) -> bool {
    chain(error).any(|error| error.is::<rustls::Error>())
}

/// The last of a chain says most.
fn root(error: &reqwest::Error) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default()
}

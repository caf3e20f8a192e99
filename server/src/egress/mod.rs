//! The way out: HTTPS requests to URLs that strangers have registered.
//!
//! A delivery goes to public addresses alone (§4), whatever a URL looks like and whatever name servers say. Three things
//! hold by construction: a host is resolved once for an attempt and refused if *any* of its addresses is not public; what
//! is dialled is one of the addresses that were judged; and nothing else chooses where a request goes, since redirects
//! are not followed and no proxy of the environment is asked.
//!
//! [`Egress::parse`] judges the text of a URL, [`Egress::vet`] also the addresses of its host (for registering), and
//! [`Egress::send`] does it anew and delivers.

mod address;
mod attempt;
mod dial;
mod failure;
mod fetch;
mod pool;
mod resolver;
mod target;
mod tls;

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use ipnet::IpNet;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;

pub use attempt::Excerpt;
pub use failure::SendFailure;
pub use target::Target;
pub(crate) use target::{LONGEST_URL, TargetError};
pub(crate) use tls::machine_tls;

use address::AddressRules;
use dial::Connection;
use failure::Stage;
use pool::Pool;
use resolver::Resolver;
use target::{Destination, Permissions};

/// An operator's settings for the targets of deliveries. By default, deliveries go to public addresses and trust the
/// certificates that the machine trusts.
#[derive(Debug, Clone, Default)]
pub struct EgressSettings {
    /// Networks that may be reached although they are not public.
    pub allow_targets: Vec<IpNet>,
    /// Networks that may not be reached although they are public, such as the deployment's own. They win.
    pub deny_targets: Vec<IpNet>,
    /// PEM file of certificates that are trusted beside those that the machine trusts.
    pub extra_ca: Option<PathBuf>,
    /// Time limits for endpoints.
    pub timeouts: Timeouts,
    /// Takes `http://` as well, so that a measurement can leave TLS out.
    #[cfg(feature = "testing")]
    pub plain_http: bool,
    /// Takes names for use inside a network as well, such as `sso.internal`: for URLs that the operator states. The addresses
    /// are judged all the same.
    pub inside_names: bool,
    /// Asks this name server instead of the machine's. Tests set it; no setting does.
    pub name_server: Option<std::net::SocketAddr>,
}

/// Time limits for one endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Time for opening a connection: DNS, TCP and TLS together.
    pub open: Duration,
    /// Time for answering, from the start of the request to the end of the answer's head. The body is read within the
    /// same time.
    pub answer: Duration,
}

impl Timeouts {
    /// The limits of §6 rule 5 and §8.
    pub const SPECIFIED: Self = Self { open: Duration::from_secs(5), answer: Duration::from_secs(10) };

    /// The limits where a person waits for a page meanwhile.
    pub const OF_A_PAGE: Self = Self { open: Duration::from_secs(3), answer: Duration::from_secs(5) };
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::SPECIFIED
    }
}

/// The reason why the way out cannot be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EgressError {
    /// The file of `webhooks.extra_ca`.
    #[error("cannot take certificates from {path} (settings `webhooks.extra_ca`, `oidc.extra_ca`): {what}")]
    ExtraCa {
        /// The file.
        path: PathBuf,
        /// The fault.
        what: String,
    },
    /// TLS itself.
    #[error("cannot set up TLS: {0}")]
    Tls(rustls::Error),
    /// The client of name servers.
    #[error("cannot set up DNS: {0}")]
    Resolver(String),
}

/// Sends deliveries. Cheap to clone; all clones share connections.
#[derive(Clone)]
pub struct Egress(Arc<EgressParts>);

struct EgressParts {
    rules: AddressRules,
    permissions: Permissions,
    timeouts: Timeouts,
    resolver: Resolver,
    tls: TlsConnector,
    pool: Pool,
}

/// The content of a delivery: headers beside `Host` and `Content-Length`, and the body.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendOutcome {
    /// Status of the answer, if there was one.
    pub status: Option<u16>,
    /// The reason why it counts as failed. `None` exactly when the status is 2xx.
    pub failure: Option<SendFailure>,
    /// The time from the start of the attempt to the head of the answer or to the failure.
    pub took: Duration,
    /// True if the request left, at least in part.
    pub left: bool,
    /// The beginning of the answer's body, if there was an answer.
    pub answer: Option<Excerpt>,
}

/// An answer that has come.
struct ReceivedResponse {
    status: http::StatusCode,
    took: Duration,
    answer: Excerpt,
}

/// The reason why no answer came, and whether the request left.
struct NoResponse {
    failure: SendFailure,
    left: bool,
}

impl From<SendFailure> for NoResponse {
    fn from(failure: SendFailure) -> Self {
        Self { failure, left: false }
    }
}

impl Egress {
    /// Reads certificates and the machine's DNS settings.
    ///
    /// # Errors
    ///
    /// Returns an error if `extra_ca` cannot be read or holds no certificate.
    pub fn new(settings: &EgressSettings) -> Result<Self, EgressError> {
        let rules = AddressRules { allowed: settings.allow_targets.clone(), denied: settings.deny_targets.clone() };
        let permissions = Permissions {
            inside_names: settings.inside_names,
            localhost: LOOPBACK.iter().any(|address| rules.permit(*address)),
            #[cfg(feature = "testing")]
            plain_http: settings.plain_http,
            #[cfg(not(feature = "testing"))]
            plain_http: false,
        };
        Ok(Self(Arc::new(EgressParts {
            rules,
            permissions,
            timeouts: settings.timeouts,
            resolver: Resolver::new(settings.name_server)?,
            tls: Arc::new(tls::client_config(settings.extra_ca.as_deref())?).into(),
            pool: Pool::default(),
        })))
    }

    /// Judges a URL by its text.
    ///
    /// # Errors
    ///
    /// Returns an error if deliveries may not be sent to this URL, whatever its host resolves to.
    pub fn parse(&self, url: &str) -> Result<Target, TargetError> {
        Target::parse(url, self.0.permissions)
    }

    /// Judges the addresses that a target's host has at this moment, within the time that opening a connection may
    /// take.
    ///
    /// # Errors
    ///
    /// Returns a failure if the host does not resolve, or any of its addresses is not public.
    pub async fn vet(&self, target: &Target) -> Result<(), SendFailure> {
        self.0.addresses(target, Instant::now() + self.0.timeouts.open).await.map(|_| ())
    }

    /// Makes one attempt: judges the target's addresses anew, POSTs to one of them, and waits for the answer. Takes no
    /// longer than [`Timeouts`] allows for opening and answering together.
    pub async fn send(&self, target: &Target, delivery: Outgoing) -> SendOutcome {
        let begun = Instant::now();
        match self.0.exchange(target, delivery, begun).await {
            Ok(ReceivedResponse { status, took, answer }) => SendOutcome {
                status: Some(status.as_u16()),
                failure: (!status.is_success()).then(|| SendFailure::status(status)),
                took,
                left: true,
                answer: Some(answer),
            },
            Err(NoResponse { failure, left }) => {
                SendOutcome { status: None, failure: Some(failure), took: begun.elapsed(), left, answer: None }
            }
        }
    }
}

const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

impl EgressParts {
    /// All addresses of a target, none of which is refused.
    async fn addresses(&self, target: &Target, until: Instant) -> Result<Vec<IpAddr>, SendFailure> {
        match &target.place {
            Destination::Address(address) if self.rules.permit(*address) => Ok(vec![address.to_canonical()]),
            Destination::Address(_) => Err(SendFailure::blocked_literal()),
            // Name servers are not asked about this name (RFC 6761).
            Destination::Localhost => Ok(LOOPBACK.into_iter().filter(|address| self.rules.permit(*address)).collect()),
            Destination::Name(name) => {
                let found = timeout_at(until, self.resolver.resolve(name)).await;
                let found = found.map_err(|_| SendFailure::open_timeout(Stage::Dns, self.timeouts.open))??;
                if found.iter().all(|address| self.rules.permit(*address)) {
                    Ok(found)
                } else {
                    Err(SendFailure::blocked_name())
                }
            }
        }
    }

    async fn exchange(
        &self,
        target: &Target,
        delivery: Outgoing,
        begun: Instant,
    ) -> Result<ReceivedResponse, NoResponse> {
        let open_by = begun + self.timeouts.open;
        let addresses = self.addresses(target, open_by).await?;
        let mut request = attempt::request(target, delivery.headers, delivery.body);
        loop {
            let used = self.used(target, &addresses).await;
            let is_new = used.is_none();
            let mut connection = match used {
                Some(connection) => connection,
                None => self.open(target, &addresses, open_by).await?,
            };
            let answer_by = Instant::now() + self.timeouts.answer;
            let answer = timeout_at(answer_by, attempt::ask(&mut connection, request)).await;
            let late = |_| NoResponse { failure: SendFailure::response_timeout(self.timeouts.answer), left: true };
            match answer.map_err(late)? {
                Ok((status, body)) => {
                    let took = begun.elapsed();
                    let answer = self.finish(target, connection, status, body, answer_by).await;
                    return Ok(ReceivedResponse { status, took, answer });
                }
                Err(mut error) => match error.take_message() {
                    // The other end closed it while it waited. Nothing was sent: the attempt goes on with another one.
                    Some(unsent) if !is_new => request = unsent,
                    // The endpoint may have seen the request, so that this was the attempt (DLV-6).
                    _ => return Err(NoResponse { failure: SendFailure::exchanging(error.error()), left: true }),
                },
            }
        }
    }

    /// A connection that waits, as far as this end can know in order.
    async fn used(&self, target: &Target, vetted: &[IpAddr]) -> Option<Connection> {
        while let Some(mut connection) = self.pool.take(target, vetted) {
            if attempt::is_usable(&mut connection).await {
                return Some(connection);
            }
        }
        None
    }

    async fn open(&self, target: &Target, addresses: &[IpAddr], until: Instant) -> Result<Connection, SendFailure> {
        let late = |stage| move |_| SendFailure::open_timeout(stage, self.timeouts.open);
        let stream = timeout_at(until, dial::connect(addresses, target.port)).await.map_err(late(Stage::Tcp))??;
        timeout_at(until, dial::handshake(&self.tls, target, stream)).await.map_err(late(Stage::Tls))?
    }

    async fn finish(
        &self,
        target: &Target,
        mut connection: Connection,
        status: http::StatusCode,
        body: hyper::body::Incoming,
        until: Instant,
    ) -> Excerpt {
        let (is_usable, answer) = attempt::drain(&mut connection, status, body, until).await;
        if is_usable {
            self.pool.put(target, connection);
        }
        answer
    }
}

impl std::fmt::Debug for Egress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Egress").field("rules", &self.0.rules).finish_non_exhaustive()
    }
}

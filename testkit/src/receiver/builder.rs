//! The builder of a receiver.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::authority::host_of;
use super::connection::{ConnectionContext, accept};
use super::log::Log;
use super::{Authority, Certificate, Chain, DeliveryObserver, Handshake, Receiver};

/// A receiver in the making.
#[derive(Debug, Clone)]
#[must_use = "it listens once it is started"]
pub struct Builder {
    address: IpAddr,
    port: u16,
    host: Option<String>,
    tls: bool,
    authority: Option<Authority>,
    chain: Option<Chain>,
    certificate: Certificate,
    handshake: Handshake,
    patience: Duration,
    watch: Option<DeliveryObserver>,
}

/// The reason why a receiver does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be had.
    #[error("cannot listen")]
    Listen(#[from] io::Error),
    /// The certificate cannot be made.
    #[error("cannot make a certificate")]
    Certificate(#[from] rcgen::Error),
    /// The certificate cannot be used.
    #[error("cannot use the certificate")]
    Tls(#[from] rustls::Error),
}

impl StartError {
    /// Returns true if someone else listens at the address.
    pub(crate) fn is_address_in_use(&self) -> bool {
        matches!(self, Self::Listen(error) if error.kind() == io::ErrorKind::AddrInUse)
    }
}

impl Receiver {
    /// Listens with TLS on a free port of 127.0.0.1, with a certificate of an authority of its own. It needs a tokio
    /// runtime, and lives on it.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is available or no certificate can be made.
    pub async fn start() -> Result<Self, StartError> {
        Self::builder().start().await
    }

    /// A receiver that differs from that of [`start`](Self::start).
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            host: None,
            tls: true,
            authority: None,
            chain: None,
            certificate: Certificate::default(),
            handshake: Handshake::default(),
            // Machines that run tests are slow at times, and one that waits in vain fails anyway.
            patience: Duration::from_secs(60),
            watch: None,
        }
    }
}

impl Builder {
    /// Listens on this address in place of 127.0.0.1.
    pub fn address(self, address: IpAddr) -> Self {
        Self { address, ..self }
    }

    /// Listens on this port in place of a free one.
    pub fn port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// The name in its URLs and in its certificate, in place of its address. A [`chain`](Self::chain) that was set before
    /// is not of that name, and is not shown.
    pub fn host(self, name: &str) -> Self {
        Self { host: Some(name.to_owned()), chain: None, ..self }
    }

    /// Speaks HTTP without TLS.
    pub fn plain_http(self) -> Self {
        Self { tls: false, ..self }
    }

    /// Has its certificate from this authority in place of one of its own.
    pub fn authority(self, authority: &Authority) -> Self {
        Self { authority: Some(authority.clone()), ..self }
    }

    /// Shows this certificate, where it is to show one that is in order for the host that is set now. `ca_pem` of the
    /// receiver is not what trusts it.
    pub fn chain(self, chain: &Chain) -> Self {
        Self { chain: Some(chain.clone()), ..self }
    }

    /// Shows such a certificate.
    pub fn certificate(self, certificate: Certificate) -> Self {
        Self { certificate, ..self }
    }

    /// Treats connections like this.
    pub fn handshake(self, handshake: Handshake) -> Self {
        Self { handshake, ..self }
    }

    /// Sets the time limit for the events that a test expects, instead of a minute.
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Tells this of every delivery.
    pub(crate) fn watched(self, watch: Option<DeliveryObserver>) -> Self {
        Self { watch, ..self }
    }

    /// Listens.
    ///
    /// # Errors
    ///
    /// As [`Receiver::start`].
    pub async fn start(self) -> Result<Receiver, StartError> {
        let listener = TcpListener::bind((self.address, self.port)).await?;
        let address = listener.local_addr()?;
        let host = self.host.clone().unwrap_or_else(|| host_of(self.address));
        let origin = format!("{}://{host}:{}", if self.tls { "https" } else { "http" }, address.port());
        let authority = self.authority.clone().map_or_else(Authority::new, Ok)?;
        let tls = if self.tls { Some(self.acceptor(&authority)?) } else { None };
        let ends = CancellationToken::new();
        let log = Arc::new(Log::watched(self.watch.clone()));
        let context = ConnectionContext { tls, handshake: self.handshake, log, scripts: Arc::default() };
        let (log, scripts) = (Arc::clone(&context.log), Arc::clone(&context.scripts));
        let serving = ends.clone();
        tokio::spawn(async move {
            serving.run_until_cancelled(accept(listener, context, serving.clone())).await;
        });
        Ok(Receiver { address, origin, authority, patience: self.patience, log, scripts, _ends: ends.drop_guard() })
    }

    /// The host that is set.
    pub(crate) fn name(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// Returns true if its port is set.
    pub(crate) fn has_port(&self) -> bool {
        self.port != 0
    }

    /// Returns true if only an authority can issue its certificate.
    pub(crate) fn needs_authority(&self) -> bool {
        self.tls && matches!(self.certificate, Certificate::WrongHost | Certificate::Expired)
    }

    fn acceptor(&self, authority: &Authority) -> Result<TlsAcceptor, StartError> {
        let hosts: Vec<String> = self.host.iter().cloned().chain([self.address.to_string()]).collect();
        let (certificates, key) = match &self.chain {
            Some(chain) if self.certificate == Certificate::Valid => chain.parts(),
            _ => {
                let (certificate, key) = authority.issue(self.certificate, &hosts)?;
                (vec![certificate], key)
            }
        };
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(certificates, key)?;
        Ok(Arc::new(config).into())
    }
}

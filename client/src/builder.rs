//! The builder of a client.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use secrecy::SecretString;

use crate::base_url::BaseUrl;
use crate::client::Client;
#[cfg(feature = "http")]
use crate::connections::{ConnectionSettings, Http};
use crate::error::ConfigError;
use crate::ids::IdSource;
use crate::inner::Inner;
use crate::retry::Policy;
use crate::secret::ApiKey;
use crate::transport::Transport;

const USER_AGENT: &str = concat!("l10n-client/", env!("CARGO_PKG_VERSION"));

/// Settings of a [`Client`]. Made by [`Client::builder`].
///
/// | setting | default |
/// |---|---|
/// | [`connect_timeout`](Self::connect_timeout) | 10 s |
/// | [`request_timeout`](Self::request_timeout), each request | 60 s |
/// | [`total_timeout`](Self::total_timeout), a call with all its requests and pauses | 180 s |
/// | [`max_retries`](Self::max_retries) | 4 |
/// | [`backoff`](Self::backoff) | from 0.25 s to 8 s |
/// | [`max_response_bytes`](Self::max_response_bytes) | 64 MiB |
///
/// **Proxies.** As reqwest does, the client honours `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` of the
/// environment; a base URL on this machine (`localhost`, `127.0.0.0/8`, `::1`) is always reached directly, and
/// [`no_proxy`](Self::no_proxy) turns them off.
///
/// ```
/// # fn main() -> Result<(), l10n_client::ConfigError> {
/// use std::time::Duration;
///
/// let client = l10n_client::Client::builder("https://l10n.example.com/v1")
///     .api_key("eik_secret")
///     .user_agent("shop-deploy/2.1")
///     .total_timeout(Duration::from_secs(300))
///     .max_retries(8)
///     .build()?;
/// # let _ = client;
/// # Ok(())
/// # }
/// ```
#[must_use = "a builder does nothing before `build`"]
pub struct Builder {
    base_url: String,
    api_key: Option<SecretString>,
    user_agent: Option<String>,
    request_timeout: Duration,
    total_timeout: Duration,
    max_response_bytes: usize,
    policy: Policy,
    transport: Option<Arc<dyn Transport>>,
    #[cfg(feature = "http")]
    connections: ConnectionSettings,
    ids: IdSource,
}

impl Client {
    /// Returns a builder for a client of the service at `base_url`, which ends in the version segment `/v1`.
    pub fn builder(base_url: impl Into<String>) -> Builder {
        Builder::new(base_url.into())
    }

    /// A client without an API key: it reads health and published files, which need none.
    ///
    /// # Errors
    ///
    /// The errors of [`Builder::build`].
    pub fn new(base_url: impl Into<String>) -> Result<Self, ConfigError> {
        Self::builder(base_url).build()
    }
}

impl Builder {
    pub(crate) fn new(base_url: String) -> Self {
        Self {
            base_url,
            api_key: None,
            user_agent: None,
            request_timeout: Duration::from_secs(60),
            total_timeout: Duration::from_secs(180),
            max_response_bytes: 64 * 1024 * 1024,
            policy: Policy { max_retries: 4, base: Duration::from_millis(250), longest: Duration::from_secs(8) },
            transport: None,
            #[cfg(feature = "http")]
            connections: ConnectionSettings::default(),
            ids: IdSource::default(),
        }
    }

    /// The API key, `eik_…`. [`build`](Self::build) checks its form; surrounding white space is dropped. It is sent to
    /// routes that need a key, never to public ones.
    pub fn api_key(mut self, key: impl Into<SecretString>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// Sets the time limit of one request, to the last byte of its answer. 60 s by default. A long poll gets the time
    /// that it asks the server to wait in addition. An answer that is read as it arrives
    /// ([`Memory::export`](crate::Memory::export)) gets it for its head, and then for each piece.
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.request_timeout = timeout;
        self
    }

    /// Sets the time limit of a call with all its requests and the pauses between them. 180 s by default, so that one
    /// `Retry-After: 60` fits in, and a second one. A pause that would exceed it is not begun: the error is returned at
    /// once. It ends with the head of an answer that is read as it arrives.
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = timeout;
        self
    }

    /// Sets the maximum number of retries of a call. 4 by default; 0 turns retries off, including waits for a 429.
    /// [`Resend`](crate::Resend) says which requests are retried.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.policy.max_retries = retries;
        self
    }

    /// Sets the pauses between requests: a random share of `first`, doubled from one to the next, never above
    /// `longest`.
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.policy.base = first;
        self.policy.longest = longest;
        self
    }

    /// Sets the maximum size of an answer, in decompressed bytes. 64 MiB by default. An answer that is read as it arrives
    /// has none.
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.max_response_bytes = bytes;
        self
    }

    /// Sets the application's name, such as `shop-deploy/2.1`; this client's own name follows it in the header.
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = Some(name.into());
        self
    }

    /// Sends requests by this transport, and opens no connection. Settings of connections (`connect_timeout`, certificates,
    /// proxies) and an HTTP client cannot be given beside it.
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Makes the `x-correlation-id` of each call, 1 to 128 of `A-Za-z0-9._-` of which the first is no dot, in place of random
    /// ones, for example to tie them to traces. An invalid id is replaced by a random one.
    pub fn correlation_ids(mut self, make: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.ids = IdSource::new(make);
        self
    }

    /// Makes the client. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], which names the setting.
    pub fn build(self) -> Result<Client, ConfigError> {
        let base_url = BaseUrl::parse(&self.base_url)?;
        let api_key = self.api_key.as_ref().map(ApiKey::parse).transpose()?;
        for (setting, zero) in [
            ("request_timeout", self.request_timeout.is_zero()),
            ("total_timeout", self.total_timeout.is_zero()),
            ("max_response_bytes", self.max_response_bytes == 0),
        ] {
            if zero {
                return Err(ConfigError::Zero { setting });
            }
        }
        let user_agent = match &self.user_agent {
            Some(name) => format!("{name} {USER_AGENT}"),
            None => USER_AGENT.to_owned(),
        };
        let user_agent = HeaderValue::try_from(user_agent).map_err(|_| ConfigError::UserAgent)?;
        let opens_connections = self.transport.is_none();
        #[cfg(feature = "http")]
        let transport = match self.transport {
            Some(transport) => {
                self.connections.refuse_any()?;
                transport
            }
            None => self.connections.transport(&base_url)?,
        };
        #[cfg(not(feature = "http"))]
        let transport = self.transport.ok_or(ConfigError::NoTransport)?;
        Ok(Client::from(Inner {
            transport,
            opens_connections,
            base_url,
            api_key,
            user_agent,
            request_timeout: self.request_timeout,
            total_timeout: self.total_timeout,
            max_response_bytes: self.max_response_bytes,
            policy: self.policy,
            ids: self.ids,
        }))
    }
}

/// Settings of connections.
#[cfg(feature = "http")]
impl Builder {
    /// Sets the time limit for opening a connection, TLS included. 10 s by default.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connections.connect_timeout = Some(timeout);
        self
    }

    /// Trusts the root certificates of a PEM bundle too, beside the machine's own.
    pub fn root_certificates_pem(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.connections.trust.pem.push(pem.into());
        self
    }

    /// Trusts the certificates given by [`root_certificates_pem`](Self::root_certificates_pem) and no others.
    pub fn only_these_roots(mut self) -> Self {
        self.connections.trust.added_only = true;
        self
    }

    /// Uses no proxy: ignores those of the environment, and removes every proxy of an
    /// [`http_builder`](Self::http_builder), too.
    pub fn no_proxy(mut self) -> Self {
        self.connections.no_proxy = true;
        self
    }

    /// Starts from settings of [`reqwest`](crate::reqwest), such as a proxy of the application's own, which a base URL on
    /// this machine does not use. TLS, redirects (none are followed) and the connect timeout are set on top. A `timeout` of
    /// `builder` stays in force beside [`request_timeout`](Self::request_timeout), and ends an answer that is read as it
    /// arrives, too.
    ///
    /// Without it, connections that have been idle for 30 s are closed, before a proxy closes them; set
    /// `pool_idle_timeout` here for the same.
    pub fn http_builder(mut self, builder: reqwest::ClientBuilder) -> Self {
        self.connections.http = Http::Builder(Box::new(builder));
        self
    }

    /// Uses a finished HTTP client, to share its connections. Its TLS, proxies and connect timeout apply.
    ///
    /// This crate's reqwest has no TLS provider of its own: pass `tls_backend_preconfigured`, install a provider, or use
    /// [`http_builder`](Self::http_builder), which needs neither.
    ///
    /// ```
    /// use l10n_client::{Client, reqwest};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // Once in the process, at its start. Fails if it has a provider already, which does as well.
    /// let _ = rustls::crypto::ring::default_provider().install_default();
    ///
    /// let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    /// let client = Client::builder("https://l10n.example.com/v1").http_client(http).build()?;
    /// # let _ = client;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Build it with [`redirect::Policy::none()`](crate::reqwest::redirect::Policy::none). One that follows redirects
    /// sends the request, and within one host the key, to their target before this client can return
    /// [`Error::Redirected`](crate::Error::Redirected), which then says that a write may have been carried out.
    pub fn http_client(mut self, client: reqwest::Client) -> Self {
        self.connections.http = Http::Finished(client);
        self
    }
}

/// Omits the key.
impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = if self.api_key.is_some() { "[redacted]" } else { "none" };
        f.debug_struct("Builder").field("api_key", &key).finish_non_exhaustive()
    }
}

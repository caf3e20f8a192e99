//! The usual transport: connections over HTTP and TLS.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use url::Url;

use crate::base_url::BaseUrl;
use crate::error::ConfigError;
use crate::tls::{self, Trust};
use crate::transport::{Transport, TransportAnswer};

/// A connection that has been idle for longer may have been closed by a proxy; a write on it would have an unknown
/// outcome.
const IDLE_CONNECTIONS: Duration = Duration::from_secs(30);

/// Settings of connections.
#[derive(Default)]
pub(crate) struct ConnectionSettings {
    pub(crate) connect_timeout: Option<Duration>,
    pub(crate) trust: Trust,
    pub(crate) no_proxy: bool,
    pub(crate) http: Http,
}

/// The source of the HTTP client.
#[derive(Default)]
pub(crate) enum Http {
    #[default]
    Own,
    Builder(Box<reqwest::ClientBuilder>),
    Finished(reqwest::Client),
}

impl ConnectionSettings {
    /// The transport. Opens no connection.
    pub(crate) fn transport(self, base_url: &BaseUrl) -> Result<Arc<dyn Transport>, ConfigError> {
        if self.connect_timeout.is_some_and(|timeout| timeout.is_zero()) {
            return Err(ConfigError::Zero { setting: "connect_timeout" });
        }
        if matches!(self.http, Http::Finished(_)) {
            self.refuse_settings("http_client")?;
        }
        let builder = match self.http {
            Http::Own => reqwest::Client::builder().pool_idle_timeout(IDLE_CONNECTIONS),
            Http::Builder(builder) => *builder,
            Http::Finished(client) => return Ok(Arc::new(Connections(client))),
        };
        let takes_no_proxy = self.no_proxy || base_url.is_loopback();
        // Certificates are read even if they are not needed, so that a broken bundle is found early.
        let tls = if base_url.is_https() || !self.trust.pem.is_empty() {
            tls::client_config(&self.trust)?
        } else if takes_no_proxy {
            tls::unused_config()?
        } else {
            // A proxy may speak TLS. Without one, a machine that has no roots does well, too.
            tls::client_config(&self.trust).or_else(|_| tls::unused_config())?
        };
        let mut builder = builder
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(self.connect_timeout.unwrap_or(Duration::from_secs(10)));
        if takes_no_proxy {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| ConfigError::Http { problem: error.to_string() })?;
        Ok(Arc::new(Connections(client)))
    }

    /// Refuses everything that has no effect beside a transport of the application's own.
    pub(crate) fn refuse_any(&self) -> Result<(), ConfigError> {
        let beside = "transport";
        match self.http {
            Http::Own => self.refuse_settings(beside),
            Http::Builder(_) => Err(ConfigError::Conflict { setting: "http_builder", beside }),
            Http::Finished(_) => Err(ConfigError::Conflict { setting: "http_client", beside }),
        }
    }

    /// Refuses settings that have no effect beside what the application made itself.
    fn refuse_settings(&self, beside: &'static str) -> Result<(), ConfigError> {
        let given = [
            ("connect_timeout", self.connect_timeout.is_some()),
            ("root_certificates_pem", !self.trust.pem.is_empty()),
            ("only_these_roots", self.trust.added_only),
            ("no_proxy", self.no_proxy),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((setting, _)) => Err(ConfigError::Conflict { setting, beside }),
            None => Ok(()),
        }
    }
}

/// Connections, shared by clones of a client.
struct Connections(reqwest::Client);

/// The URL that an HTTP client of the application's own has followed a redirect to; in the extensions of an answer.
#[derive(Clone)]
pub(crate) struct Followed(pub(crate) Url);

impl Transport for Connections {
    fn send(&self, request: http::Request<Bytes>) -> TransportAnswer {
        let client = self.0.clone();
        Box::pin(async move {
            let has_body = !request.body().is_empty();
            let mut request = reqwest::Request::try_from(request)?;
            if !has_body {
                *request.body_mut() = None;
            }
            let asked = request.url().clone();
            let answer = client.execute(request).await?;
            let followed = (*answer.url() != asked).then(|| Followed(answer.url().clone()));
            let mut answer = http::Response::<reqwest::Body>::from(answer);
            if let Some(followed) = followed {
                answer.extensions_mut().insert(followed);
            }
            Ok(answer.map(|body| body.map_err(Into::into).boxed_unsync()))
        })
    }
}

//! The protocol over streamable HTTP as a service, without listener and sessions: each request brings an account of its own.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{Request, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Body;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::options::Options;
use crate::seal::Seal;
use crate::server::Server;

/// Time limit for a request, up to the head of its answer.
const LONGEST: Duration = Duration::from_secs(120);

/// Options of a server over HTTP. This machine alone is allowed by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpOptions {
    /// Hosts, with or without port, that a request may name besides those of this machine.
    pub allowed_hosts: Vec<String>,
    /// Origins of pages that may call. A request of any other page is refused. [`serve_http`](crate::serve_http) adds those of
    /// this machine.
    pub allowed_origins: Vec<String>,
}

/// The body of an answer; it never fails.
pub type HttpBody = UnsyncBoxBody<Bytes, std::convert::Infallible>;

/// Answers requests of the protocol, for a server that has a listener and knows whose key a request brings. Cheap to clone.
#[derive(Clone)]
pub struct HttpService(StreamableHttpService<Server, NeverSessionManager>);

impl HttpService {
    /// Largest body of a request. The largest file of the service, 2 MiB, fits in with every character escaped once.
    pub const LARGEST_BODY: usize = 4 * 1024 * 1024 + 64 * 1024;

    /// A service that reads no files, whatever the options say. `end` ends the waits of its calls, so that each is answered
    /// soon with what is known then.
    #[must_use]
    pub fn new(options: Options, http: HttpOptions, seal: Seal, end: CancellationToken) -> Self {
        // Files are those of the machine, and callers may be others.
        let options = Options { folder: None, ..options };
        let server = Server::shared(options, seal, end);
        let mut config = StreamableHttpServerConfig::default();
        config.allowed_hosts.extend(http.allowed_hosts);
        let config = config
            .with_allowed_origins(http.allowed_origins.iter().map(|origin| with_port(origin)))
            .enforce_origin_validation()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(Self::LARGEST_BODY);
        Self(StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config))
    }

    /// Answers a request on behalf of an account. The key that it brings goes no further than this.
    pub async fn answer<B>(&self, mut request: Request<B>, account: Account) -> Response<HttpBody>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: fmt::Display,
    {
        request.headers_mut().remove(AUTHORIZATION);
        request.extensions_mut().insert(account);
        match tokio::time::timeout(LONGEST, self.0.handle(request)).await {
            Ok(answer) => answer.map(|body| body.boxed_unsync()),
            Err(_) => plain(StatusCode::REQUEST_TIMEOUT, "the request took longer than 120 seconds"),
        }
    }
}

/// Adds the port that the scheme implies: to the SDK, an origin without a port is one of any port.
fn with_port(origin: &str) -> String {
    let origin = origin.trim().trim_end_matches('/');
    let port = match origin.parse::<http::Uri>() {
        Ok(uri) if uri.port().is_none() && !origin.ends_with(":*") => match uri.scheme_str() {
            Some("https") => ":443",
            Some("http") => ":80",
            _ => "",
        },
        _ => "",
    };
    format!("{origin}{port}")
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpService(…)")
    }
}

pub(crate) fn plain(status: StatusCode, text: &'static str) -> Response<HttpBody> {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed_unsync());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_without_a_port_is_that_of_its_scheme() {
        for (origin, full) in [
            ("https://a.example", "https://a.example:443"),
            ("http://a.example/", "http://a.example:80"),
            ("http://[::1]", "http://[::1]:80"),
            ("https://a.example:8443", "https://a.example:8443"),
            ("https://a.example:*", "https://a.example:*"),
            ("null", "null"),
        ] {
            assert_eq!(with_port(origin), full);
        }
    }
}

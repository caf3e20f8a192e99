//! The protocol over streamable HTTP, without sessions: each request brings its own key, which is passed on and not kept.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{Request, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::account::Account;
use crate::options::Options;
use crate::server::Server;

/// The path at which the protocol is served.
const PATH: &str = "/mcp";

/// Largest request. The largest file of the service, 2 MiB, fits in with every character escaped once.
const LARGEST_BODY: usize = 4 * 1024 * 1024 + 64 * 1024;

/// Most connections at a time. More of them wait.
const CONNECTIONS: usize = 64;

/// Time limit for a request's head.
const HEAD: Duration = Duration::from_secs(10);

/// Time limit for a request, up to the head of its answer.
const LONGEST: Duration = Duration::from_secs(120);

/// Pause after a failure to accept a connection, which is usually a lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Pages of this machine. They have no key unless a person gives them one.
const LOCAL_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Options of a server over HTTP. Loopback alone is allowed by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpOptions {
    /// Hosts, with or without port, that a request may name besides those of this machine.
    pub allowed_hosts: Vec<String>,
    /// Origins of pages that may call besides those of this machine. A request of any other page is refused.
    pub allowed_origins: Vec<String>,
}

type Service = StreamableHttpService<Server, NeverSessionManager>;
type Body = UnsyncBoxBody<Bytes, Infallible>;

/// Serves any number of clients at `/mcp` until `end` is over. `account` says which service and project it is; its key is not
/// used. A request without a key of the right form is answered 401.
pub async fn serve_http(
    listener: TcpListener,
    account: Account,
    options: Options,
    http: HttpOptions,
    end: impl Future<Output = ()>,
) {
    // Files are those of the machine, and callers may be others.
    let options = Options { folder: None, ..options };
    let shared = Arc::new(Shared { service: service(account.clone(), options, http), account });
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let accept = async {
        loop {
            let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, _)) => {
                    let shared = Arc::clone(&shared);
                    tokio::spawn(async move {
                        shared.connection(stream).await;
                        drop(permit);
                    });
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = end => {}
    }
}

fn service(account: Account, options: Options, http: HttpOptions) -> Service {
    let server = Server::shared(account, options);
    let mut config = StreamableHttpServerConfig::default();
    config.allowed_hosts.extend(http.allowed_hosts);
    let config = config
        .with_allowed_origins(LOCAL_ORIGINS.into_iter().map(str::to_owned).chain(http.allowed_origins))
        .enforce_origin_validation()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(LARGEST_BODY);
    StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config)
}

/// The state that all connections share.
struct Shared {
    service: Service,
    account: Account,
}

impl Shared {
    async fn connection(self: Arc<Self>, stream: TcpStream) {
        let answer = service_fn(|request| {
            let shared = Arc::clone(&self);
            async move { Ok::<_, Infallible>(shared.answer(request).await) }
        });
        // A connection that breaks concerns its client alone.
        let _ = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), answer)
            .await;
    }

    async fn answer(&self, mut request: Request<Incoming>) -> Response<Body> {
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "the protocol is served at /mcp");
        }
        let header = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok());
        let Some(account) = header.and_then(bearer).and_then(|key| self.account.with_key(key)) else {
            let mut refused = plain(StatusCode::UNAUTHORIZED, "send an API key: `Authorization: Bearer eik_…`");
            refused.headers_mut().insert(WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer"));
            return refused;
        };
        request.headers_mut().remove(AUTHORIZATION);
        request.extensions_mut().insert(account);
        match tokio::time::timeout(LONGEST, self.service.handle(request)).await {
            Ok(answer) => answer.map(|body| body.boxed_unsync()),
            Err(_) => plain(StatusCode::REQUEST_TIMEOUT, "the request took longer than 120 seconds"),
        }
    }
}

/// The key of a header; the scheme's name is of any case.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| key.trim())
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed_unsync());
    *answer.status_mut() = status;
    answer
}

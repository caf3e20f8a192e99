//! The protocol over streamable HTTP, without sessions: each request brings its own key, which is passed on and not kept.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::time::Duration;

use http::header::{AUTHORIZATION, CONNECTION, WWW_AUTHENTICATE};
use http::{HeaderValue, Request, Response, StatusCode};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::http_service::{HttpBody, HttpOptions, HttpService, plain};
use crate::options::Options;
use crate::seal::Seal;

/// The path at which the protocol is served.
const PATH: &str = "/mcp";

/// Most connections at a time. More of them wait.
const CONNECTIONS: usize = 64;

/// Time limit for a request's head.
const HEAD: Duration = Duration::from_secs(10);

/// Pause after a failure to accept a connection, which is usually a lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// After the last answer: how long, and how much, is read of what the client is still sending. Closing a socket with unread
/// bytes resets the connection, and the client may lose the answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: u64 = 2 * HttpService::LARGEST_BODY as u64;

/// Pages of this machine. They have no key unless a person gives them one.
const LOCAL_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Serves any number of clients at `/mcp` until `end` is over. `account` says which service and project it is; its key is not
/// used. A request without a key of the right form is answered 401.
pub async fn serve_http(
    listener: TcpListener,
    account: Account,
    options: Options,
    http: HttpOptions,
    end: impl Future<Output = ()>,
) {
    let allowed_origins = LOCAL_ORIGINS.into_iter().map(str::to_owned).chain(http.allowed_origins).collect();
    let http = HttpOptions { allowed_origins, ..http };
    let service = HttpService::new(options, http, Seal::of_this_process(), CancellationToken::new());
    let shared = Arc::new(Shared { service, account });
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

/// The state that all connections share.
struct Shared {
    service: HttpService,
    account: Account,
}

impl Shared {
    async fn connection(self: Arc<Self>, stream: TcpStream) {
        let answer = service_fn(|request| {
            let shared = Arc::clone(&self);
            // A connection whose end is left to others wants a future that may be moved.
            Box::pin(async move { Ok::<_, Infallible>(shared.answer(request).await) })
        });
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), answer);
        // A connection that breaks, or brings no further request in time, concerns its client alone.
        let _ = poll_fn(|cx| connection.poll_without_shutdown(cx)).await;
        linger(connection.into_parts().io.into_inner()).await;
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<HttpBody> {
        let has_body = !request.body().is_end_stream();
        let mut answer = self.route(request).await;
        if has_body && answer.status().is_client_error() {
            // It may come before the end of the body, and then the connection is good for no other request.
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        answer
    }

    async fn route(&self, request: Request<Incoming>) -> Response<HttpBody> {
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "the protocol is served at /mcp");
        }
        let header = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok());
        let Some(account) = header.and_then(bearer).and_then(|key| self.account.with_key(key)) else {
            let mut refused = plain(StatusCode::UNAUTHORIZED, "send an API key: `Authorization: Bearer eik_…`");
            refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return refused;
        };
        self.service.answer(request, account).await
    }
}

/// Ends a connection without cutting off the last answer.
async fn linger(mut stream: TcpStream) {
    let rest = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut stream.take(LINGER_BYTES), &mut tokio::io::sink()).await
    };
    // A client that has gone, or still sends, is given up.
    let _ = tokio::time::timeout(LINGER, rest).await;
}

/// The key of a header; the scheme's name is of any case.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| key.trim())
}

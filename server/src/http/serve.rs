//! Connections: accepted, bounded in the time and space that their heads may take, and drained at the end.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::client_address::Peer;

/// Largest head of a request (request line and headers), in bytes; a larger one is 431.
const HEAD_BYTES: usize = 64 * 1024;

/// Wait after the system refused a connection (no file handle left), so that the refusals do not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long parts of a request may take to arrive, and the server to end.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The head of a request, counted from the end of the one before: an idle connection ends after as long.
    pub head: Duration,
    /// The body of a request.
    pub body: Duration,
    /// Requests that run when the server is asked to end.
    pub shutdown: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { head: Duration::from_secs(60), body: Duration::from_secs(60), shutdown: Duration::from_secs(30) }
    }
}

/// Serves until `shutdown`; then takes no more connections and waits for running requests.
pub async fn serve(listener: TcpListener, router: Router, timeouts: Timeouts, shutdown: CancellationToken) {
    let connections = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let peer = Peer(peer.ip().to_canonical());
                spawn(stream, peer, router.clone(), timeouts, connections.watcher());
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(timeouts.shutdown, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests were still running when the server ended");
    }
}

fn spawn(
    stream: TcpStream,
    peer: Peer,
    router: Router,
    timeouts: Timeouts,
    connections: hyper_util::server::graceful::Watcher,
) {
    // Answers are small and written whole.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
        let router = router.clone();
        async move {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(peer);
            let Ok(response) = router.oneshot(request).await;
            Ok::<_, Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.head)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    tokio::spawn(async move {
        // Clients go away and speak broken HTTP as they like.
        if let Err(error) = connections.watch(connection).await {
            tracing::debug!(%error, "a connection ended early");
        }
    });
}

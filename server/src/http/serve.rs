//! Connections: accepted within bounds, limited in the time and space that their parts may take, and drained at the end.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use http_body::Body as _;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use super::client_address::Peer;
use super::connections::{Admission, ConnectionPermit, Connections, Limit};
use super::correlation::{Entry, Origin};
use super::framing::{FramingRefusal, HEAD_BYTES};
use super::wire::{Flow, Wire};
use super::write_turns::WriteTurns;
use crate::config::Http;
use crate::domain::ServiceError;

/// Wait after the system refused a connection (no file handle left), so that the refusals do not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The head of the one request of a connection beyond the limits has to be there by then.
const RESERVED_HEAD: Duration = Duration::from_secs(2);
/// Paths that a connection beyond the limits may request.
const ALWAYS_ANSWERED: [&str; 3] = ["/v1/health", "/livez", "/readyz"];

/// Time limits of the parts of an exchange, and of the server's shutdown.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionTimeouts {
    /// The head of a request, counted from the end of the one before: an idle connection ends after as long.
    pub head: Duration,
    /// The body of a request.
    pub body: Duration,
    /// A client that falls behind 16 KiB of an answer a second by more is given up.
    pub write: Duration,
    /// Requests that run when the server is asked to end.
    pub shutdown: Duration,
}

impl Default for ConnectionTimeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(60),
            body: Duration::from_secs(60),
            write: Duration::from_secs(30),
            shutdown: Duration::from_secs(30),
        }
    }
}

impl From<&Http> for ConnectionTimeouts {
    fn from(settings: &Http) -> Self {
        Self {
            head: settings.head_timeout(),
            body: settings.body_timeout(),
            write: settings.write_timeout(),
            ..Self::default()
        }
    }
}

/// Put into the extensions of a request that is answered without being run. The connection ends with the answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum RefusedRequest {
    /// Its head can be read in two ways.
    Framing(FramingRefusal),
    /// It came on a connection beyond the limits.
    AtLimit(Limit),
}

impl RefusedRequest {
    /// The answer.
    pub(super) fn error(self) -> ServiceError {
        match self {
            Self::Framing(refusal) => refusal.error(),
            Self::AtLimit(limit) => limit.error(),
        }
    }
}

/// The side of a listener that answers.
#[derive(Clone)]
enum Answers {
    /// All of the server.
    Whole(Entry),
    /// These routes.
    Routes(Router),
}

impl Answers {
    async fn answer(
        self,
        mut request: axum::extract::Request,
        peer: Peer,
        refused: Option<RefusedRequest>,
    ) -> Response {
        match self {
            Self::Whole(entry) => entry.answer(request, Origin::Connection(peer, refused)).await,
            Self::Routes(router) => {
                request.extensions_mut().insert(peer);
                if let Some(refused) = refused {
                    request.extensions_mut().insert(refused);
                }
                let Ok(response): Result<Response, Infallible> = router.oneshot(request).await;
                response
            }
        }
    }
}

/// Serves until `shutdown`; then takes no more connections and waits for running requests.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    timeouts: ConnectionTimeouts,
    connections: Connections,
    shutdown: CancellationToken,
) {
    accept(listener, Answers::Routes(router), timeouts, connections, shutdown).await;
}

/// Serves the whole server as [`serve`] does, with fewer steps for each request.
pub(crate) async fn serve_whole(
    listener: TcpListener,
    entry: Entry,
    timeouts: ConnectionTimeouts,
    connections: Connections,
    shutdown: CancellationToken,
) {
    accept(listener, Answers::Whole(entry), timeouts, connections, shutdown).await;
}

async fn accept(
    listener: TcpListener,
    answers: Answers,
    timeouts: ConnectionTimeouts,
    connections: Connections,
    shutdown: CancellationToken,
) {
    let (open, abandoned) = (TaskTracker::new(), CancellationToken::new());
    let (admission, turns) = (Admission::new(connections), WriteTurns::new());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let peer = Peer(peer.ip().to_canonical());
                let Some(place) = admission.admit(peer.0) else { continue };
                let (answers, turns) = (answers.clone(), turns.clone());
                let connection = AcceptedConnection { stream, peer, place, answers, timeouts, turns };
                // Tokens of its own: it asks them whenever it goes on, and those of all are behind one lock.
                let (shutdown, abandoned) = (shutdown.child_token(), abandoned.child_token());
                open.spawn(async move {
                    tokio::select! {
                        () = connection.drive(&shutdown) => {}
                        () = abandoned.cancelled() => {}
                    }
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    open.close();
    if tokio::time::timeout(timeouts.shutdown, open.wait()).await.is_err() {
        tracing::warn!(connections = open.len(), "some requests were still running when the server ended");
        abandoned.cancel();
    }
}

struct AcceptedConnection {
    stream: TcpStream,
    peer: Peer,
    place: ConnectionPermit,
    answers: Answers,
    timeouts: ConnectionTimeouts,
    turns: WriteTurns,
}

impl AcceptedConnection {
    /// Answers its requests, until the client goes or the server ends.
    async fn drive(self, shutdown: &CancellationToken) {
        let Self { stream, peer, place, answers, timeouts, turns } = self;
        // Answers are small and written whole.
        let _ = stream.set_nodelay(true);
        let limit = place.limit;
        let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
            let (answers, refused) = (answers.clone(), refusal(&request, limit));
            // Most requests have no body.
            let request = request.map(|body| if body.is_end_stream() { Body::empty() } else { Body::new(body) });
            async move { Ok::<_, Infallible>(answers.answer(request, peer, refused).await) }
        });
        let flow = Arc::new(Flow::default());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(if limit.is_some() { RESERVED_HEAD } else { timeouts.head })
            .keep_alive(limit.is_none())
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(Wire::new(stream, timeouts.write, Arc::clone(&flow), turns)), service);
        let mut connection = pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = shutdown.cancelled() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection.as_mut() => ended,
                    () = flow.stuck() => return,
                }
            }
        };
        // Clients go away and speak broken HTTP as they like.
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended early");
        }
    }
}

/// The reason why a request is not run.
fn refusal<B>(request: &http::Request<B>, limit: Option<Limit>) -> Option<RefusedRequest> {
    let broken = FramingRefusal::marked(request).map(RefusedRequest::Framing);
    broken
        .or_else(|| Some(RefusedRequest::AtLimit(limit.filter(|_| !ALWAYS_ANSWERED.contains(&request.uri().path()))?)))
}

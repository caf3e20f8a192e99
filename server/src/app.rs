//! A running server: the router on a listener, and the workers beside it.

use std::io;

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::http::{self, ConnectionTimeouts, Connections};
use crate::metrics::{self, PrometheusHandle};
use crate::service::Service;
use crate::workers;

/// The router of the whole server, for callers with a listener of their own.
pub fn router(service: Service) -> Router {
    http::router(service, ConnectionTimeouts::default())
}

/// Serves until `shutdown`, then ends in order: no new connections, running requests finish, workers put down their work.
///
/// # Errors
///
/// Returns an error if the listener has no address.
pub async fn run(service: Service, listener: TcpListener, shutdown: CancellationToken) -> io::Result<()> {
    let timeouts = ConnectionTimeouts::from(&service.settings.http);
    run_with(service, listener, timeouts, shutdown).await
}

/// Like [`run`], with other timeouts.
///
/// # Errors
///
/// Returns an error if the listener has no address.
pub async fn run_with(
    service: Service,
    listener: TcpListener,
    timeouts: ConnectionTimeouts,
    shutdown: CancellationToken,
) -> io::Result<()> {
    tracing::info!(address = %listener.local_addr()?, "listening");
    let service = Service { draining: shutdown.clone(), ..service };
    workers::translate::release_orphans(&service).await;
    workers::deliver::release_orphans(&service).await;
    workers::staged_runs::give_up_orphans(&service).await;
    workers::receipts::settle_orphans(&service).await;
    let workers = workers::spawn(&service, &shutdown);
    let (connections, drain) = (Connections::from(&service.settings.http), service.settings.http.drain());
    let entry = http::whole(service, timeouts);
    let closing = CancellationToken::new();
    let drained = async {
        shutdown.cancelled().await;
        tokio::time::sleep(drain).await;
        closing.cancel();
    };
    tokio::join!(drained, http::serve_whole(listener, entry, timeouts, connections, closing.clone()));
    workers.join_all().await;
    Ok(())
}

/// Serves `/metrics` until `shutdown`.
pub async fn serve_metrics(
    service: Service,
    recorder: PrometheusHandle,
    listener: TcpListener,
    shutdown: CancellationToken,
) {
    let (timeouts, connections) = (ConnectionTimeouts::default(), Connections::default());
    tokio::select! {
        () = http::serve(listener, metrics::router(recorder.clone()), timeouts, connections, shutdown) => {}
        () = metrics::keep_measuring(&service.store, service.clock.as_ref(), &recorder) => {}
    }
}

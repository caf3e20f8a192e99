//! What a Prometheus server is told about deliveries, at `/metrics` of a listener of its own.

use std::time::Duration;

use axum::Router;
use axum::routing::get;
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
pub use metrics_exporter_prometheus::PrometheusHandle;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::domain::ServiceError;
use crate::domain::deliveries::Outcome;
use crate::http::{self, Connections, Timeouts};
use crate::service::Service;
use crate::store::due;

const ATTEMPTS: &str = "l10n_delivery_attempts_total";
const DURATION: &str = "l10n_delivery_attempt_duration_seconds";
const OLDEST: &str = "l10n_deliveries_oldest_due_seconds";
const DUE: &str = "l10n_deliveries_due";
const PLANNED: &str = "l10n_deliveries_planned";
const IN_FLIGHT: &str = "l10n_deliveries_in_flight";

/// How often the datastore is asked for what waits in it.
const EVERY: Duration = Duration::from_secs(5);
/// Seconds: an attempt takes 15 at most.
const BUCKETS: [f64; 10] = [0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 15.0];

/// Records from here on what happens in this process.
///
/// # Errors
///
/// When the process records already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), &BUCKETS)?;
    let recorder = builder.install_recorder()?;
    describe_counter!(ATTEMPTS, "Attempts at deliveries that have ended, by outcome");
    describe_histogram!(DURATION, Unit::Seconds, "How long attempts took until they were answered or failed");
    describe_gauge!(OLDEST, Unit::Seconds, "How long the oldest delivery that is due has been waiting for a server");
    describe_gauge!(DUE, "Deliveries that wait for a server");
    describe_gauge!(PLANNED, "Deliveries that wait for the time of their next attempt");
    describe_gauge!(IN_FLIGHT, "Deliveries whose attempts are under way on some server");
    Ok(recorder)
}

/// Counts an attempt that has ended.
pub(crate) fn attempted(service: &Service, outcome: &Outcome) {
    let engine = service.store.engine().as_str();
    counter!(ATTEMPTS, "engine" => engine, "outcome" => outcome.name()).increment(1);
    let took = Duration::from_millis(u64::try_from(outcome.took_ms).unwrap_or_default());
    histogram!(DURATION, "engine" => engine).record(took);
}

/// Serves `/metrics` until `shutdown`.
pub async fn serve(service: Service, recorder: PrometheusHandle, listener: TcpListener, shutdown: CancellationToken) {
    let shown = recorder.clone();
    let router = Router::new().route("/metrics", get(move || std::future::ready(shown.render())));
    let gauges = async {
        loop {
            if let Err(error) = measure(&service).await {
                tracing::warn!(?error, "cannot measure what waits for delivery");
            }
            recorder.run_upkeep();
            tokio::time::sleep(EVERY).await;
        }
    };
    tokio::select! {
        () = http::serve(listener, router, Timeouts::default(), Connections::default(), shutdown) => {}
        () = gauges => {}
    }
}

/// Asks the datastore what waits in it.
async fn measure(service: &Service) -> Result<(), ServiceError> {
    let now = service.clock.now();
    let mut tx = service.store.begin_read().await?;
    let backlog = due::backlog(&mut tx, now).await?;
    tx.rollback().await?;
    let engine = service.store.engine().as_str();
    let waited = backlog.first_due_at.map_or(0, |due| now.as_millis().saturating_sub(due.as_millis()).max(0));
    let waited = Duration::from_millis(u64::try_from(waited).unwrap_or_default());
    gauge!(OLDEST, "engine" => engine).set(waited.as_secs_f64());
    for (name, count) in [(DUE, backlog.due), (PLANNED, backlog.planned), (IN_FLIGHT, backlog.in_flight)] {
        gauge!(name, "engine" => engine).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    }
    Ok(())
}

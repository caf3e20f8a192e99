//! Metrics for Prometheus about requests, deliveries, jobs and the process, at `/metrics` of a
//! listener that [`app::serve_metrics`](crate::app::serve_metrics) serves.

use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use http::{Method, StatusCode};
use l10n_api_types::translations::JobStatus;
use metrics::{Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
pub use metrics_exporter_prometheus::PrometheusHandle;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder};

use crate::clock::Clock;
use crate::domain::deliveries::AttemptOutcome;
use crate::store::begin::WRITER_WAIT;
use crate::store::engine::DatabaseKind;
use crate::store::{Store, StoreError, due, jobs};

const ATTEMPTS: &str = "l10n_delivery_attempts_total";
const DURATION: &str = "l10n_delivery_attempt_duration_seconds";
const OLDEST: &str = "l10n_deliveries_oldest_due_seconds";
const DUE: &str = "l10n_deliveries_due";
const PLANNED: &str = "l10n_deliveries_planned";
const REQUESTS: &str = "l10n_http_request_duration_seconds";
const JOBS: &str = "l10n_translation_jobs";
const CONNECTIONS: &str = "l10n_datastore_connections";
const MEMORY: &str = "process_resident_memory_bytes";
const IN_FLIGHT: &str = "l10n_deliveries_in_flight";

/// Interval of the questions to the datastore about waiting work.
const EVERY: Duration = Duration::from_secs(5);
/// Seconds: an attempt takes 15 at most.
const BUCKETS: [f64; 10] = [0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 15.0];

/// Seconds: a long poll takes 25, a large write may take longer.
const REQUEST_BUCKETS: [f64; 11] = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 30.0];

/// Labels of a histogram of requests: method, route template, status.
type RequestLabels = (&'static str, &'static str, StatusCode);

/// Histograms that have been looked up in the recorder, which costs more than a small request should; nothing before there is
/// a recorder.
static KNOWN_REQUESTS: OnceLock<RwLock<HashMap<RequestLabels, Histogram>>> = OnceLock::new();

/// Begins to record the metrics of this process.
///
/// # Errors
///
/// Returns an error if the process records already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(DURATION.to_owned()), &BUCKETS)?
        .set_buckets_for_metric(Matcher::Full(REQUESTS.to_owned()), &REQUEST_BUCKETS)?
        .set_buckets_for_metric(Matcher::Full(WRITER_WAIT.to_owned()), &REQUEST_BUCKETS)?;
    let recorder = builder.install_recorder()?;
    KNOWN_REQUESTS.get_or_init(RwLock::default);
    describe_counter!(ATTEMPTS, "Attempts at deliveries that have ended, by outcome");
    describe_histogram!(DURATION, Unit::Seconds, "How long attempts took until they were answered or failed");
    describe_gauge!(OLDEST, Unit::Seconds, "How long the oldest delivery that is due has been waiting for a server");
    describe_gauge!(DUE, "Deliveries that wait for a server");
    describe_gauge!(PLANNED, "Deliveries that wait for the time of their next attempt");
    describe_gauge!(IN_FLIGHT, "Deliveries whose attempts are under way on some server");
    describe_histogram!(REQUESTS, Unit::Seconds, "How long requests took, by method, route template and status");
    describe_histogram!(WRITER_WAIT, Unit::Seconds, "How long writes waited for the only writer of SQLite");
    describe_gauge!(JOBS, "Translation jobs that have not ended, by status");
    describe_gauge!(CONNECTIONS, "Connections of this process to the datastore, by pool and state");
    describe_gauge!(MEMORY, Unit::Bytes, "Resident memory of this process");
    Ok(recorder)
}

/// Counts a request that was answered. A client's own invention (a method, a path) never becomes a label.
pub(crate) fn answered(method: &Method, route: &'static str, status: StatusCode, took: Duration) {
    let method = match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    };
    request_histogram(method, route, status).record(took);
}

/// The histogram of these labels.
fn request_histogram(method: &'static str, route: &'static str, status: StatusCode) -> Histogram {
    let (known, labels) = (KNOWN_REQUESTS.get(), (method, route, status));
    if let Some(known) = known
        && let Some(histogram) = known.read().unwrap_or_else(PoisonError::into_inner).get(&labels)
    {
        return histogram.clone();
    }
    let status = status.as_str().to_owned();
    let histogram = histogram!(REQUESTS, "method" => method, "route" => route, "status" => status);
    if let Some(known) = known {
        known.write().unwrap_or_else(PoisonError::into_inner).insert(labels, histogram.clone());
    }
    histogram
}

/// Counts an attempt that has ended.
pub(crate) fn attempted(engine: DatabaseKind, outcome: &AttemptOutcome) {
    let engine = engine.as_str();
    counter!(ATTEMPTS, "engine" => engine, "outcome" => outcome.name()).increment(1);
    let took = Duration::from_millis(u64::try_from(outcome.took_ms).unwrap_or_default());
    histogram!(DURATION, "engine" => engine).record(took);
}

/// The page for Prometheus, at `/metrics`.
pub(crate) fn router(recorder: PrometheusHandle) -> Router {
    Router::new().route("/metrics", get(move || std::future::ready(recorder.render())))
}

/// Measures from time to time what waits in the datastore, and tidies the records. Does not end.
pub(crate) async fn keep_measuring(store: &Store, clock: &dyn Clock, recorder: &PrometheusHandle) {
    loop {
        if let Err(error) = measure(store, clock).await {
            tracing::warn!(?error, "cannot measure what waits for delivery");
        }
        recorder.run_upkeep();
        tokio::time::sleep(EVERY).await;
    }
}

/// Reads from the datastore how much work waits in it.
async fn measure(store: &Store, clock: &dyn Clock) -> Result<(), StoreError> {
    // They matter most while the datastore does not answer.
    measure_process(store);
    let now = clock.now();
    let mut tx = store.begin_read().await?;
    let backlog = due::backlog(&mut tx, now).await?;
    let jobs = jobs::unfinished(&mut tx).await?;
    tx.rollback().await?;
    for status in [JobStatus::Queued, JobStatus::Running] {
        let count = jobs.iter().find(|(known, _)| known == status.as_str()).map_or(0, |(_, count)| *count);
        gauge!(JOBS, "status" => status.as_str()).set(number(count));
    }
    let engine = store.engine().as_str();
    let waited = backlog.first_due_at.map_or(0, |due| now.as_millis().saturating_sub(due.as_millis()).max(0));
    let waited = Duration::from_millis(u64::try_from(waited).unwrap_or_default());
    gauge!(OLDEST, "engine" => engine).set(waited.as_secs_f64());
    for (name, count) in [(DUE, backlog.due), (PLANNED, backlog.planned), (IN_FLIGHT, backlog.in_flight)] {
        gauge!(name, "engine" => engine).set(number(count));
    }
    Ok(())
}

/// Measures what the process has: its connections to the datastore, and its memory.
fn measure_process(store: &Store) {
    for (pool, open, idle) in store.connections() {
        gauge!(CONNECTIONS, "pool" => pool, "state" => "idle").set(number(i64::from(idle)));
        gauge!(CONNECTIONS, "pool" => pool, "state" => "used").set(number(i64::from(open.saturating_sub(idle))));
    }
    if let Some(bytes) = resident_memory() {
        gauge!(MEMORY).set(number(bytes));
    }
}

/// A count or a size as a gauge has it: exact up to 2^53.
fn number(count: i64) -> f64 {
    count as f64
}

/// Bytes of memory that the process has, where the system says it.
fn resident_memory() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: i64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TestClock;
    use crate::testing::TestStore;

    #[tokio::test]
    async fn connections_and_memory_are_measured_while_the_datastore_does_not_answer() {
        for store in [Some(TestStore::sqlite().await), TestStore::postgres().await].into_iter().flatten() {
            let recorder = PrometheusBuilder::new().build_recorder();
            let _local = metrics::set_default_local_recorder(&recorder);
            store.close().await;
            assert!(measure(&store, &TestClock::default()).await.is_err());
            let page = recorder.handle().render();
            for (pool, _, _) in store.connections() {
                let used = format!("l10n_datastore_connections{{pool=\"{pool}\",state=\"used\"}} ");
                assert!(page.contains(&used), "{page}");
            }
            assert!(resident_memory().is_none() || page.contains("\nprocess_resident_memory_bytes "), "{page}");
            store.remove().await;
        }
    }
}

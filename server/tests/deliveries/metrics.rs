//! Metrics of deliveries at `/metrics`.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use l10n_server::{app, both_engines, metrics};
use l10n_testkit::receiver::Answer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::fixtures::World;

/// The whole process has one recorder.
fn recorder() -> metrics::PrometheusHandle {
    static RECORDER: OnceLock<metrics::PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| metrics::install().unwrap()).clone()
}

async fn read(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

/// Attempts are counted by outcome and engine, what waits is measured, and nothing tells whose it is.
async fn attempts_and_what_waits_are_shown(store: TestStore) {
    let recorder = recorder();
    let world = World::on(&store).await;
    world.receiver.answer("/fails", Answer::status(StatusCode::IM_A_TEAPOT));
    let (hook, fails) = (world.hook("/hook").await, world.hook("/fails").await);
    world.publish().await;
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    world.after_attempts(&fails, 1).await;

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    tokio::spawn(app::serve_metrics(world.service.clone(), recorder, listener, shutdown.clone()));
    let engine = store.engine().as_str();
    let wanted = [
        format!("l10n_delivery_attempts_total{{engine=\"{engine}\",outcome=\"delivered\"}} "),
        format!("l10n_delivery_attempts_total{{engine=\"{engine}\",outcome=\"status\"}} "),
        format!("l10n_delivery_attempt_duration_seconds_bucket{{engine=\"{engine}\",le=\"15\"}} "),
        format!("l10n_deliveries_oldest_due_seconds{{engine=\"{engine}\"}} 0\n"),
        format!("l10n_deliveries_due{{engine=\"{engine}\"}} 0\n"),
        format!("l10n_deliveries_planned{{engine=\"{engine}\"}} 1\n"),
        format!("l10n_deliveries_in_flight{{engine=\"{engine}\"}} 0\n"),
        "l10n_translation_jobs{status=\"queued\"} 0\n".to_owned(),
        "l10n_datastore_connections{pool=\"".to_owned(),
        "process_resident_memory_bytes ".to_owned(),
        "l10n_http_request_duration_seconds_count{method=\"POST\",route=\"/projects/{projectId}/publish\",status=\"201\"} ".to_owned(),
    ];
    // The gauges are set a moment after the listener is there.
    let shown = tokio::time::timeout(TEST_TIMEOUT, async {
        loop {
            let text = read(address).await;
            if wanted.iter().all(|line| text.contains(line)) {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let text = shown.await.unwrap();
    for secret in [hook.id.as_str(), &hook.secret, "127.0.0.1", "/hook", world.project.id.as_str()] {
        assert!(!text.contains(secret), "{text}");
    }
    shutdown.cancel();
}

both_engines!(attempts_and_what_waits_are_shown);

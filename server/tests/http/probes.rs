//! `/livez` and `/readyz`: what a process manager and a load balancer are told.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use l10n_server::app;
use l10n_server::both_engines;
use l10n_server::engines::Pseudo;
use l10n_server::http::{ConnectionTimeouts, Connections, serve};
use l10n_server::service::Service;
use l10n_server::store::Store;
use l10n_server::store::readiness::NotReady;
use l10n_server::testing::{TestApp, TestStore};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

both_engines!(a_server_that_works_is_alive_and_ready, a_server_that_is_told_to_end_is_alive_and_not_ready);

/// The whole answer to a `GET`.
async fn get(service: Service, path: &str) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let mut stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let ends = CancellationToken::new();
    let router = app::router(service);
    let server =
        tokio::spawn(serve(listener, router, ConnectionTimeouts::default(), Connections::default(), ends.clone()));
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    ends.cancel();
    server.await.unwrap();
    answer
}

async fn a_server_that_works_is_alive_and_ready(store: TestStore) {
    let app = TestApp::on(&store).await;
    for path in ["/livez", "/readyz"] {
        let answer = app.at(Method::GET, path).send().await;
        assert_eq!((answer.status, &answer.json()["status"]), (200, &"ok".into()), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

async fn a_server_that_is_told_to_end_is_alive_and_not_ready(store: TestStore) {
    let app = TestApp::on(&store).await;
    let draining = CancellationToken::new();
    draining.cancel();
    let service = Service { draining, ..app.service.clone() };
    assert!(get(service.clone(), "/livez").await.starts_with("HTTP/1.1 200"));
    let answer = get(service, "/readyz").await;
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("\"reason\":\"draining\""), "{answer}");
    assert!(answer.to_lowercase().contains("retry-after: "), "{answer}");
}

#[tokio::test]
async fn a_file_that_cannot_be_written_makes_a_server_not_ready() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let read_only = Store::connect(&format!("{}?mode=ro", store.url())).await.unwrap();
    assert_eq!(read_only.ready(Duration::ZERO).await, Err(NotReady::ReadOnly));
    let service =
        Service::new(read_only, app.service.clock.clone(), (*app.service.settings).clone(), Arc::new(Pseudo)).unwrap();
    let answer = get(service.clone(), "/readyz").await;
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("\"datastore_read_only\""), "{answer}");
    // The health of the specification is about reading.
    assert!(get(service, "/v1/health").await.starts_with("HTTP/1.1 200"));
}

/// A lock that another process holds is told from the process's own writes by how long they have not got their turn.
#[tokio::test]
async fn a_file_that_another_process_has_locked_makes_a_server_not_ready() {
    let store = TestStore::sqlite().await;
    let other = Store::connect(store.url()).await.unwrap();
    assert_eq!(store.ready(Duration::ZERO).await, Ok(()));
    let held = other.begin_write().await.unwrap();
    assert_eq!(store.ready(Duration::ZERO).await, Err(NotReady::Locked));
    assert_eq!(store.ready(Duration::from_secs(3_600)).await, Ok(()), "it may be its own write");
    held.rollback().await.unwrap();
    assert_eq!(store.ready(Duration::ZERO).await, Ok(()));
}

/// Nobody listens there any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_server_that_is_gone_makes_a_server_not_ready() {
    let Some(mut cluster) = l10n_server::testing::postgres::DurableCluster::for_test() else { return };
    let store = TestStore::at(cluster.database().await).await;
    assert_eq!(store.ready(Duration::ZERO).await, Ok(()));
    tokio::task::block_in_place(|| cluster.crash()).unwrap();
    assert_eq!(store.ready(Duration::ZERO).await, Err(NotReady::Away));
}

/// ERR-503-1: who waits for a database server that is gone is told soon, and a run is told to begin anew from its sources.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_server_that_is_gone_is_said_at_once_and_not_waited_for() {
    let Some(mut cluster) = l10n_server::testing::postgres::DurableCluster::for_test() else { return };
    let store = TestStore::at(cluster.database().await).await;
    let app = TestApp::on(&store).await;
    let body = serde_json::json!({"keys": [{"ref": "a", "text": "Hello"}]});
    assert!(app.post("/translate").json(&body).send().await.status < 300);
    tokio::task::block_in_place(|| cluster.crash()).unwrap();
    for (call, words) in [
        (app.post("/translate").json(&body), "run the push or sync again from your source files"),
        (app.get("/versions"), "again"),
        (app.at(Method::GET, "/v1/health"), "again"),
    ] {
        let began = std::time::Instant::now();
        let answer = call.send().await;
        // As long as one waits for a connection that others use.
        assert!(began.elapsed() < Duration::from_secs(12), "{:?}", began.elapsed());
        assert_eq!(answer.outcome(), "503 unavailable");
        assert!(answer.error().message.contains(words), "{answer:?}");
        assert!(answer.header("retry-after").is_some(), "{answer:?}");
    }
}

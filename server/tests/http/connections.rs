//! Connections: how many there are, how long one lasts, and that none holds a server that ends.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use l10n_server::app;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::config::Settings;
use l10n_server::engines::Pseudo;
use l10n_server::http::{ConnectionTimeouts, Connections, serve};
use l10n_server::request_windows::Budget;
use l10n_server::service::Service;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;

both_engines!(
    a_server_with_all_connections_in_use_says_so_and_answers_for_its_health,
    one_address_takes_no_connection_of_another,
    a_reader_that_reads_nothing_is_ended,
    a_connection_beyond_the_limits_that_stays_silent_is_ended,
    no_connection_holds_a_server_that_ends,
    a_long_poll_is_answered_when_the_server_is_told_to_end,
);

/// One request over a new connection from an address of this machine; the whole answer.
async fn ask(to: SocketAddr, from: &str, path: &str, key: &str) -> String {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((from.parse::<IpAddr>().unwrap(), 0).into()).unwrap();
    let mut stream = socket.connect(to).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    // A server without a place for the connection may reset it.
    if stream.write_all(request.as_bytes()).await.is_ok() {
        let _ = stream.read_to_string(&mut answer).await;
    }
    answer
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or("none")
}

/// Asks until the answer has this status.
async fn becomes(wanted: &str, to: SocketAddr, path: &str, key: &str) {
    while status(&ask(to, "127.0.0.1", path, key).await) != wanted {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn credential(app: &TestApp) -> String {
    format!("/v1/projects/{}/credential", app.project.id)
}

/// A connection that the server has taken: its first request was answered.
async fn idle(app: &TestApp) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(b"GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    stream
}

async fn a_server_with_all_connections_in_use_says_so_and_answers_for_its_health(store: TestStore) {
    let app = TestApp::with(&store, |settings| settings.http.max_connections = 2, ConnectionTimeouts::default()).await;
    let key = &app.project.keys.admin;
    let held = [idle(&app).await, idle(&app).await];
    let refused = ask(app.address, "127.0.0.1", &credential(&app), key).await;
    assert_eq!(status(&refused), "503", "{refused}");
    let lower = refused.to_lowercase();
    for part in ["retry-after: ", "connection: close", "x-correlation-id: ", "\"error\":\"unavailable\""] {
        assert!(lower.contains(part), "{part}: {refused}");
    }
    assert_eq!(status(&ask(app.address, "127.0.0.1", "/v1/health", "").await), "200");
    drop(held);
    becomes("200", app.address, &credential(&app), key).await;
}

async fn one_address_takes_no_connection_of_another(store: TestStore) {
    let app =
        TestApp::with(&store, |settings| settings.http.max_connections_per_address = 2, ConnectionTimeouts::default())
            .await;
    let key = &app.project.keys.admin;
    let held = [idle(&app).await, idle(&app).await];
    let refused = ask(app.address, "127.0.0.1", &credential(&app), key).await;
    assert_eq!(status(&refused), "429", "{refused}");
    assert!(refused.contains("\"error\":\"rate_limited\"") && refused.to_lowercase().contains("retry-after: 60"));
    assert_eq!(status(&ask(app.address, "127.0.0.2", &credential(&app), key).await), "200");
    drop(held);
    becomes("200", app.address, &credential(&app), key).await;
}

/// Asks for far more than the system's buffers hold, and reads none of it.
async fn ask_without_reading(to: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(to).await.unwrap();
    let request = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000);
    stream.write_all(&request).await.unwrap();
    stream
}

async fn a_reader_that_reads_nothing_is_ended(store: TestStore) {
    let timeouts = ConnectionTimeouts { write: Duration::from_millis(200), ..ConnectionTimeouts::default() };
    let app = TestApp::with(&store, |settings| settings.http.max_connections = 1, timeouts).await;
    let stream = ask_without_reading(app.address).await;
    // Its place is free again although the client has not gone.
    becomes("200", app.address, &credential(&app), &app.project.keys.admin).await;
    drop(stream);
}

async fn a_connection_beyond_the_limits_that_stays_silent_is_ended(store: TestStore) {
    let app = TestApp::with(&store, |settings| settings.http.max_connections = 1, ConnectionTimeouts::default()).await;
    let held = idle(&app).await;
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(TcpStream::connect(app.address).await.unwrap());
    }
    becomes("200", app.address, "/v1/health", "").await;
    for mut stream in silent {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
        assert!(!rest.starts_with(b"HTTP/1.1 200"));
    }
    drop(held);
}

/// Timeouts of an hour: what ends before them has been ended by something else.
fn patient() -> ConnectionTimeouts {
    let hour = Duration::from_secs(3_600);
    ConnectionTimeouts { head: hour, body: hour, write: hour, shutdown: hour }
}

async fn no_connection_holds_a_server_that_ends(store: TestStore) {
    let app = TestApp::on(&store).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let running = tokio::spawn(app::run_with(app.service.clone(), listener, patient(), shutdown.clone()));
    let silent = TcpStream::connect(address).await.unwrap();
    let mut in_head = TcpStream::connect(address).await.unwrap();
    in_head.write_all(b"GET /v1/health HTTP/1.1\r\nX: ").await.unwrap();
    let mut in_body = TcpStream::connect(address).await.unwrap();
    let (project, key) = (&app.project.id, &app.project.keys.admin);
    let head = format!(
        "POST /v1/projects/{project}/languages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\
         Content-Length: 100\r\nExpect: 100-continue\r\n\r\n"
    );
    in_body.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    in_body.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100", "the handler waits for the body");
    let unread = ask_without_reading(address).await;
    unread.readable().await.unwrap();
    shutdown.cancel();
    tokio::time::timeout(Duration::from_secs(120), running).await.expect("nothing holds it").unwrap().unwrap();
    drop((silent, in_head, in_body, unread));
}

async fn a_long_poll_is_answered_when_the_server_is_told_to_end(store: TestStore) {
    let unlimited = |settings: &mut Settings| settings.limits.requests_per_minute = 1_000_000;
    let app = TestApp::idle(&store, unlimited, Arc::new(Pseudo)).await;
    app.post("/languages").json(&json!({"languages": [{"code": "de"}]})).send().await;
    let body = json!({"keys": [{"ref": "a", "text": "Hello"}]});
    let token = app.post("/translate").json(&body).send().await.json()["trackingToken"].as_str().unwrap().to_owned();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let service = Service { draining: shutdown.clone(), ..app.service.clone() };
    let router = app::router(service);
    let running = tokio::spawn(serve(listener, router, patient(), Connections::default(), shutdown.clone()));
    let path = format!("/v1/projects/{}/translations?waitSeconds=25&trackingToken={token}", app.project.id);
    let key = app.project.keys.admin.clone();
    let budget = Budget::Project(app.project.id.to_string());
    let count = async || app.service.request_windows.count(&budget, app.clock.now()).await.unwrap();
    let mut expected = count().await;
    let poll = tokio::spawn(async move { ask(address, "127.0.0.1", &path, &key).await });
    // The poll has begun once it has authenticated, which counts a request of the project beside those of this loop.
    while expected == count().await + 1 {
        expected -= 1;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut others = TcpStream::connect(address).await.unwrap();
    others.write_all(b"GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    others.readable().await.unwrap();
    assert!(!poll.is_finished());
    shutdown.cancel();
    let answer = tokio::time::timeout(Duration::from_secs(20), poll).await.expect("an answer at once").unwrap();
    assert!(status(&answer) == "200" && answer.contains("\"status\":\"queued\""), "{answer}");
    running.await.unwrap();
}

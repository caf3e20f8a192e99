//! Clients that are slow to take answers or to send bodies: what they hold is bounded, and costs nobody else.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use l10n_server::app;
use l10n_server::both_engines;
use l10n_server::config::Settings;
use l10n_server::engines::Pseudo;
use l10n_server::http::{ConnectionTimeouts, Connections, serve};
use l10n_server::testing::{TestApp, TestProject, TestStore};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

both_engines!(
    a_reader_that_is_too_slow_on_average_is_ended,
    slow_readers_hold_the_share_of_their_workspace_and_others_are_answered,
    a_large_write_is_refused_before_its_answer_would_be_one_too_many,
    workspaces_that_hold_all_they_may_keep_no_other_from_syncing_and_reading,
    slow_readers_of_public_files_hold_the_shares_of_their_address_and_project_and_no_more_than_all_may,
    an_export_of_memory_is_counted_part_by_part,
    what_is_read_to_its_end_is_counted_no_more,
    unfinished_large_bodies_take_the_places_of_their_workspace_alone,
);

/// A text that an answer is large with.
const TEXT: usize = 300 * 1024;
/// Room for three such answers, and for one of each workspace or address.
const ROOM: u64 = 1024 * 1024;

/// A server whose project has one key of [`TEXT`] bytes.
async fn with_text(store: &TestStore, change: impl FnOnce(&mut Settings)) -> TestApp {
    let app = TestApp::idle(store, change, Arc::new(Pseudo)).await;
    add_text(&app, &app.project).await;
    app
}

async fn add_text(app: &TestApp, project: &TestProject) {
    let content = json!({ "long": "x".repeat(TEXT) }).to_string();
    let file = json!({"path": "en.json", "content": content, "encoding": "utf8", "format": "json"});
    let call = app.at(Method::POST, &format!("/v1/projects/{}/sync", project.id)).key(&project.keys.admin);
    let answer = call.json(&json!({ "file": file })).send().await;
    assert!(answer.status < 300, "{answer:?}");
}

fn little_room(settings: &mut Settings) {
    settings.limits.unsent_answer_bytes = ROOM;
    settings.delivery.cache_bytes = 0;
}

/// The same server at another address, where the system's buffers hold next to nothing of an answer.
fn narrow(app: &TestApp, timeouts: ConnectionTimeouts) -> (SocketAddr, DropGuard) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(16 * 1024).unwrap();
    socket.bind((IpAddr::from([127, 0, 0, 1]), 0).into()).unwrap();
    let listener = socket.listen(64).unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let router = app::router(app.service.clone());
    tokio::spawn(serve(listener, router, timeouts, Connections::default(), shutdown.clone()));
    (address, shutdown.drop_guard())
}

/// Sends a request from an address of this machine, and reads no more than the status of its answer.
async fn begin(to: SocketAddr, from: [u8; 4], path: &str, key: &str) -> (TcpStream, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 * 1024).unwrap();
    socket.bind((IpAddr::from(from), 0).into()).unwrap();
    let mut stream = socket.connect(to).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    (stream, String::from_utf8_lossy(&status[9..]).into_owned())
}

const HERE: [u8; 4] = [127, 0, 0, 1];

fn keys_of(project: &TestProject) -> String {
    format!("/v1/projects/{}/translations", project.id)
}

/// The rest of an answer, of which a refusal has its headers and its body.
async fn rest(mut stream: TcpStream) -> String {
    let mut rest = String::new();
    stream.read_to_string(&mut rest).await.unwrap();
    rest
}

/// Before, whoever took 16 KiB in 30 seconds was never ended, and held a large answer for hours.
async fn a_reader_that_is_too_slow_on_average_is_ended(store: TestStore) {
    let app = with_text(&store, little_room).await;
    let timeouts = ConnectionTimeouts { write: Duration::from_secs(3), ..ConnectionTimeouts::default() };
    let (address, _ends) = narrow(&app, timeouts);
    let (mut stream, status) = begin(address, HERE, &keys_of(&app.project), &app.project.keys.admin).await;
    assert_eq!(status, "200");
    let mut read = 0;
    // Eight KiB in a second: more than 16 in three.
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let mut part = vec![0; 8 * 1024];
    while let Ok(bytes @ 1..) = stream.read(&mut part).await {
        read += bytes;
        second.tick().await;
    }
    assert!(read < TEXT, "the answer was not read to its end, but {read} bytes of it");
    while app.service.unsent.held() > 0 {
        tokio::task::yield_now().await;
    }
}

async fn slow_readers_hold_the_share_of_their_workspace_and_others_are_answered(store: TestStore) {
    let app = with_text(&store, little_room).await;
    let (address, _ends) = narrow(&app, ConnectionTimeouts::default());
    let (path, key) = (keys_of(&app.project), &app.project.keys.admin);
    let (first, status) = begin(address, HERE, &path, key).await;
    assert_eq!(status, "200");
    for _ in 0..20 {
        let (stream, status) = begin(address, HERE, &path, key).await;
        assert_eq!(status, "503");
        let refusal = rest(stream).await;
        let lower = refusal.to_lowercase();
        for part in
            ["retry-after: 5", "\"error\":\"unavailable\"", "run `get /projects/{projectid}/translations` again"]
        {
            assert!(lower.contains(part), "{part}: {refusal}");
        }
    }
    assert_eq!(app.get("/credential").send().await.status, 200, "what is small is always answered");
    let mut others = Vec::new();
    for number in 0..3 {
        let other = app.other_project("unlimited").await;
        add_text(&app, &other).await;
        let (stream, status) = begin(address, HERE, &keys_of(&other), &other.keys.admin).await;
        assert_eq!(status, if number < 2 { "200" } else { "503" }, "three answers have room");
        others.push(stream);
    }
    let held = app.service.unsent.held();
    assert!(held as u64 <= ROOM && held > 3 * TEXT, "{held}");
    // Who goes away leaves the room to others.
    drop(first);
    while begin(address, HERE, &path, key).await.1 != "200" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn a_large_write_is_refused_before_its_answer_would_be_one_too_many(store: TestStore) {
    let app = with_text(&store, little_room).await;
    let workspace = app.project.workspace.clone();
    let held = app.service.unsent.take_free(workspace, ROOM as usize / 2).unwrap();
    let keys = async || app.get("/meta").send().await.json()["keyCount"].clone();
    let before = keys().await;
    let content = json!({ "other": "y".repeat(TEXT) }).to_string();
    let file = json!({"path": "other.json", "content": content, "encoding": "utf8", "format": "json"});
    let sync = async || app.post("/sync").json(&json!({ "file": file })).send().await;
    let refused = sync().await;
    assert_eq!(refused.outcome(), "503 unavailable");
    assert!(refused.json()["message"].as_str().unwrap().contains("again from your source files"));
    assert_eq!(keys().await, before);
    drop(held);
    let answer = sync().await;
    assert!(answer.status < 300, "{answer:?}");
}

/// Before, every large write got 503 while others held all of the room.
async fn workspaces_that_hold_all_they_may_keep_no_other_from_syncing_and_reading(store: TestStore) {
    let app = TestApp::idle(&store, |settings| settings.limits.unsent_answer_bytes = 2 * ROOM, Arc::new(Pseudo)).await;
    let mut held = Vec::new();
    for greedy in ["one", "two"] {
        while let Some(permit) = app.service.unsent.take_free(greedy.into(), 16 * 1024) {
            held.push(permit);
        }
    }
    add_text(&app, &app.project).await;
    let answer = app.get("/translations").send().await;
    assert!(answer.status == 200 && answer.bytes.len() > TEXT, "{}", answer.status);
}

/// Before, two addresses that took one project's files slowly left no room for the files of any other.
async fn slow_readers_of_public_files_hold_the_shares_of_their_address_and_project_and_no_more_than_all_may(
    store: TestStore,
) {
    let app = TestApp::idle(&store, little_room, Arc::new(Pseudo)).await;
    let (address, _ends) = narrow(&app, ConnectionTimeouts::default());
    let mut paths = Vec::new();
    for _ in 0..4 {
        let project = app.other_project("unlimited").await;
        add_text(&app, &project).await;
        let publish = app.at(Method::POST, &format!("/v1/projects/{}/publish", project.id)).key(&project.keys.admin);
        assert_eq!(publish.send().await.status, 201);
        paths.push(format!("/v1/projects/{}/bundles/live/en.json", project.id));
    }
    let mut held = Vec::new();
    for (from, path) in (1..=3).zip(&paths) {
        let (stream, status) = begin(address, [127, 0, 0, from], path, "").await;
        assert_eq!(status, "200", "each address and each project has a share");
        held.push(stream);
        for (from, path) in [(from, &paths[3]), (9, path)] {
            let (stream, status) = begin(address, [127, 0, 0, from], path, "").await;
            assert_eq!(status, "503", "{from}");
            assert!(rest(stream).await.to_lowercase().contains("retry-after: 5"));
        }
    }
    let (stream, status) = begin(address, [127, 0, 0, 4], &paths[3], "").await;
    assert_eq!(status, "503", "there is no room for a fourth content");
    assert!(rest(stream).await.contains("request this one again in a moment"));
    let in_memory = app.service.contents.in_memory();
    assert!(in_memory as u64 <= ROOM && in_memory > 3 * TEXT, "{in_memory}");
    held.pop();
    while begin(address, [127, 0, 0, 4], &paths[3], "").await.1 != "200" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Before, a part had all translations of 64 texts, however long they were, and was not counted.
async fn an_export_of_memory_is_counted_part_by_part(store: TestStore) {
    const LONG: usize = 700 * 1024;
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    for number in 0..8 {
        let german = "x".repeat(LONG);
        let unit = format!(
            "<tu><tuv xml:lang=\"en\"><seg>Text {number}</seg></tuv><tuv xml:lang=\"de\"><seg>{german}</seg></tuv></tu>"
        );
        let file = format!("<tmx version=\"1.4\"><header srclang=\"en\"/><body>{unit}</body></tmx>");
        let answer = app.post("/memory/import").json(&json!({"content": file, "encoding": "utf8"})).send().await;
        assert_eq!(answer.json()["added"], 1, "{answer:?}");
    }
    let (address, _ends) = narrow(&app, ConnectionTimeouts::default());
    let (path, key) = (format!("/v1/projects/{}/memory/export", app.project.id), &app.project.keys.admin);
    let share = usize::try_from(app.service.settings.limits.unsent_answer_bytes / 2).unwrap();
    let others = app.service.unsent.take_free(app.project.workspace.clone(), share).unwrap();
    let (refused, status) = begin(address, HERE, &path, key).await;
    assert_eq!(status, "503");
    assert!(rest(refused).await.contains("too many large answers are still being sent"));
    drop(others);
    let (stream, status) = begin(address, HERE, &path, key).await;
    assert_eq!(status, "200");
    let held = app.service.unsent.held();
    assert!((LONG..4 * LONG).contains(&held), "{held}");
    assert_eq!(rest(stream).await.matches("<tu>").count(), 8);
    while app.service.unsent.held() > 0 {
        tokio::task::yield_now().await;
    }
}

async fn what_is_read_to_its_end_is_counted_no_more(store: TestStore) {
    let app = with_text(&store, little_room).await;
    let published = app.post("/publish").send().await;
    let version = published.json()["versionId"].as_str().unwrap().to_owned();
    for path in ["/translations".to_owned(), format!("/translations?version={version}")] {
        for _ in 0..4 {
            let answer = app.get(&path).send().await;
            assert!(answer.status == 200 && answer.bytes.len() > TEXT, "{}", answer.status);
            assert_eq!(answer.header("content-length"), Some(answer.bytes.len().to_string().as_str()));
            while app.service.unsent.held() > 0 {
                tokio::task::yield_now().await;
            }
        }
    }
    for coding in ["br", "gzip", "identity"] {
        let bundle = app.get("/bundles/live/en.json").no_key().header("accept-encoding", coding).send().await;
        assert_eq!(bundle.status, 200);
        while app.service.unsent_files.held() + app.service.contents.in_memory() > 0 {
            tokio::task::yield_now().await;
        }
    }
}

/// A large body that is announced, and sent as far as it is told. Returns the first that is answered.
async fn announce(app: &TestApp, project: &TestProject, head: &str, body: &[u8]) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let (id, key) = (&project.id, &project.keys.admin);
    let head = format!(
        "POST /v1/projects/{id}/sync?dryRun=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n{head}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = vec![0; 2048];
    let read = stream.read(&mut answer).await.unwrap();
    (stream, String::from_utf8_lossy(&answer[..read]).into_owned())
}

const LARGE: &str = "Content-Length: 4000000\r\nExpect: 100-continue";

/// Before, bodies were read to their last byte first, however many there were.
async fn unfinished_large_bodies_take_the_places_of_their_workspace_alone(store: TestStore) {
    let places = |settings: &mut Settings| {
        (settings.limits.large_requests, settings.limits.large_requests_waiting) = (1, 4);
    };
    let app = TestApp::idle(&store, places, Arc::new(Pseudo)).await;
    let own = &app.project;
    let another = || app.other_project("unlimited");
    let (other, third, fourth) = (another().await, another().await, another().await);
    let mut held = Vec::new();
    for _ in 0..3 {
        let (mut stream, answer) = announce(&app, own, LARGE, b"").await;
        assert!(answer.starts_with("HTTP/1.1 100 "), "{answer}");
        stream.write_all(&vec![b' '; 1_000_000]).await.unwrap();
        held.push(stream);
    }
    let (_, answer) = announce(&app, own, LARGE, b"").await;
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.to_lowercase().contains("retry-after: 5"), "{answer}");
    assert!(answer.contains("again from your source files"), "{answer}");
    // One that says no length has its place before more of it is read than a small body has.
    let chunk = [b"10001\r\n".as_slice(), &vec![b' '; 0x1_0001], b"\r\n"].concat();
    let (_, answer) = announce(&app, own, "Transfer-Encoding: chunked", &chunk).await;
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    let (_, answer) = announce(&app, own, "Content-Length: 65536\r\nExpect: 100-continue", b"").await;
    assert!(answer.starts_with("HTTP/1.1 100 "), "a small one needs no place: {answer}");
    // Nobody has the turn meanwhile: the large sync of another workspace is answered.
    add_text(&app, &other).await;
    for expected in ["HTTP/1.1 100 ", "HTTP/1.1 503 "] {
        let (stream, answer) = announce(&app, &other, LARGE, b"").await;
        assert!(answer.starts_with(expected), "half of the two places that are left: {answer}");
        held.push(stream);
    }
    // Before, two workspaces had all places.
    for (project, expected) in [(&third, "HTTP/1.1 100 "), (&fourth, "HTTP/1.1 503 ")] {
        let (stream, answer) = announce(&app, project, LARGE, b"").await;
        assert!(answer.starts_with(expected), "five are read in all: {answer}");
        held.push(stream);
    }
    // Who goes away leaves the place.
    drop(held);
    while !announce(&app, own, LARGE, b"").await.1.starts_with("HTTP/1.1 100 ") {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

//! One tenant's requests beside those of others.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Program, idle, two_keys};

both_engines!(requests_that_wait_take_nothing_from_other_workspaces, a_large_body_has_its_place_before_it_is_read,);

/// As many requests of one workspace as may be under way.
const MOST: usize = 16;

async fn requests_that_wait_take_nothing_from_other_workspaces(store: TestStore) {
    let app = idle(&store).await;
    let (program, key) = (Program::of(&app), &app.project.keys.admin);
    let other = app.other_project("unlimited").await;
    let mut waiting = Vec::new();
    for _ in 0..MOST {
        waiting.push(program.begin(key, "translate", two_keys()).await);
    }
    let list = |key: String| program.request(&key, "tools/list", json!({})).send();
    let refused = list(key.clone()).await.unwrap();
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "60"));
    assert_eq!(list(other.keys.admin.clone()).await.unwrap().status(), 200);
    // The API itself is no less there for it.
    assert_eq!(app.get("/credential").send().await.status, 200);
    // Who goes away leaves the place.
    drop(waiting);
    while list(key.clone()).await.unwrap().status() != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Sends the head of a request, and what follows it, and returns the connection with the first that is answered.
async fn begin(program: &Program, key: &str, head: &str, body: &[u8]) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(program.address).await.unwrap();
    let head = format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\n{head}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = vec![0; 1024];
    let read = stream.read(&mut answer).await.unwrap();
    (stream, String::from_utf8_lossy(&answer[..read]).into_owned())
}

/// A body that is announced with `Expect` is not sent before the server asks for it, which it does once the body has its place.
async fn a_large_body_has_its_place_before_it_is_read(store: TestStore) {
    let app = idle(&store).await;
    let (program, key) = (Program::of(&app), &app.project.keys.admin);
    let other = app.other_project("unlimited").await;
    let announced = async |key: &str, length: usize| {
        begin(&program, key, &format!("content-length: {length}\r\nexpect: 100-continue"), b"").await
    };
    let mut held = Vec::new();
    for _ in 0..2 {
        let (stream, answer) = announced(key, 4_000_000).await;
        assert!(answer.starts_with("HTTP/1.1 100 "), "{answer}");
        held.push(stream);
    }
    let (_, answer) = announced(key, 4_000_000).await;
    assert!(answer.starts_with("HTTP/1.1 429 "), "{answer}");
    // One that says no length is asked no sooner than it shows to be large.
    let chunk = [b"10001\r\n".as_slice(), &vec![b' '; 0x1_0001], b"\r\n"].concat();
    let (_, answer) = begin(&program, key, "transfer-encoding: chunked", &chunk).await;
    assert!(answer.starts_with("HTTP/1.1 429 "), "{answer}");
    let (_, answer) = announced(key, 64 * 1024).await;
    assert!(answer.starts_with("HTTP/1.1 100 "), "a small one needs no place: {answer}");
    let (_, answer) = announced(&other.keys.admin, 4_000_000).await;
    assert!(answer.starts_with("HTTP/1.1 100 "), "another workspace has its own places: {answer}");
    // Who goes away leaves the place.
    held.pop();
    while !announced(key, 4_000_000).await.1.starts_with("HTTP/1.1 100 ") {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

//! The proxy before the API hands on what it is given, and changes what a deviation changes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::{SocketAddr, TcpListener};

use l10n_testkit::Profile;
use l10n_testkit::mutants::{Plant, Proxy, ProxyConfig};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// A server of one connection, which gives this answer and says what it read before that.
async fn server(until: &'static str, answer: &'static str) -> (SocketAddr, JoinHandle<String>) {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let reading = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = Vec::new();
        while !String::from_utf8_lossy(&read).ends_with(until) {
            assert_ne!(stream.read_buf(&mut read).await.unwrap(), 0, "{}", String::from_utf8_lossy(&read));
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
        String::from_utf8(read).unwrap()
    });
    (address, reading)
}

fn proxy(upstream: SocketAddr, plant: Option<Plant>) -> (Proxy, SocketAddr) {
    let profile = json!({ "base_url": format!("http://{upstream}/v1"), "lanes": [] });
    let profile: Profile = serde_json::from_value(profile).unwrap();
    let door = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = door.local_addr().unwrap();
    let work = ProxyConfig { upstreams: vec![upstream], profile: &profile, plant, relays: false };
    (Proxy::start(door, &work).unwrap(), address)
}

/// Sends these bytes and returns the answer.
async fn asked(address: SocketAddr, bytes: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn a_request_and_its_answer_come_through_as_they_are() {
    let (upstream, read) =
        server("0\r\n\r\n", "HTTP/1.1 201 Created\r\nx-one: 1\r\nx-one: 2\r\ncontent-length: 2\r\n\r\n{}").await;
    let (_proxy, address) = proxy(upstream, None);
    let answer = asked(
        address,
        "POST /v1/projects/p/x?a=%20b HTTP/1.1\r\nhost: h\r\nx-two: 1\r\nx-two: 2\r\nconnection: close\r\n\
         transfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 201 Created\r\n") && answer.ends_with("\r\n\r\n{}"), "{answer}");
    assert!(answer.contains("x-one: 1\r\nx-one: 2\r\n") && answer.contains("content-length: 2\r\n"), "{answer}");
    let read = read.await.unwrap();
    assert!(read.starts_with("POST /v1/projects/p/x?a=%20b HTTP/1.1\r\nhost: h\r\nx-two: 1\r\nx-two: 2\r\n"), "{read}");
    assert!(read.contains("transfer-encoding: chunked\r\n") && read.contains("\r\n\r\n2\r\nab\r\n0\r\n\r\n"), "{read}");
    assert!(!read.contains("content-length"), "{read}");
}

#[tokio::test]
async fn a_request_that_is_broken_reaches_the_server_byte_by_byte() {
    let broken = "POST /v1/x HTTP/1.1\r\nContent-Length: 2\r\ncontent-length: 3\r\n\r\nab";
    let (upstream, read) = server("ab", "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n").await;
    let (_proxy, address) = proxy(upstream, None);
    assert_eq!(asked(address, broken).await, "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    assert_eq!(read.await.unwrap(), broken);
}

#[tokio::test]
async fn a_deviation_changes_requests_and_answers_below_the_base_url() {
    let (upstream, read) = server("\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"a\":\"b\"}").await;
    let plant = Plant::Both(
        |request, _| request.path = request.path.replace("/one", "/two"),
        |_, answer, _| answer.edit(|body| body["a"] = json!(["longer"])),
    );
    let (_proxy, address) = proxy(upstream, Some(plant));
    let answer = asked(address, "GET /v1/projects/p/one HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n").await;
    assert!(answer.ends_with("\r\n\r\n{\"a\":[\"longer\"]}") && answer.contains("content-length: 16\r\n"), "{answer}");
    assert!(read.await.unwrap().starts_with("GET /v1/projects/p/two HTTP/1.1\r\n"));
}

//! Test servers, and clients with short pauses.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use l10n_client::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use l10n_client::{Builder, Client, Project};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

pub(crate) const KEY: &str = "eik_TopSecret0123456789";

/// A builder with pauses of a millisecond.
pub(crate) fn builder(address: &str) -> Builder {
    Client::builder(format!("{address}/v1"))
        .api_key(KEY)
        .backoff(Duration::from_millis(1), Duration::from_millis(2))
        .total_timeout(Duration::from_secs(20))
}

pub(crate) fn project(address: &str) -> Project {
    builder(address).build().unwrap().project("prj_1")
}

/// A server that gives these answers in turn, the last one for ever.
pub(crate) async fn answering(answers: impl IntoIterator<Item = ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let answers: Vec<_> = answers.into_iter().collect();
    let next = AtomicUsize::new(0);
    let respond = move |_: &Request| {
        let index = next.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
        answers[index].clone()
    };
    Mock::given(any()).respond_with(respond).mount(&server).await;
    server
}

pub(crate) async fn requests(server: &MockServer) -> Vec<Request> {
    server.received_requests().await.unwrap()
}

pub(crate) fn ok(body: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

pub(crate) fn error(status: u16, code: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({"error": code, "message": format!("about {code}")}))
}

pub(crate) fn health() -> Value {
    json!({"status": "ok", "version": "1"})
}

/// Counts name lookups, which is one for each connection attempt, and answers with an address or an error.
#[derive(Clone)]
pub(crate) struct Names {
    pub(crate) asked: watch::Sender<usize>,
    address: Option<IpAddr>,
}

impl Names {
    pub(crate) fn that_lead_to(address: Option<IpAddr>) -> Self {
        Self { asked: watch::Sender::new(0), address }
    }
}

impl Resolve for Names {
    fn resolve(&self, _: Name) -> Resolving {
        self.asked.send_modify(|count| *count += 1);
        let addresses: Option<Addrs> =
            self.address.map(|address| Box::new(std::iter::once(SocketAddr::new(address, 0))) as Addrs);
        Box::pin(async move { addresses.ok_or_else(|| "there is no such name".into()) })
    }
}

/// The behaviour of a raw server after it has read a request.
#[derive(Clone)]
pub(crate) enum Fault {
    /// Writes these bytes and closes.
    Write(Vec<u8>),
    /// Neither answers nor closes.
    Hang,
}

/// A server on a bare socket: plays the faults in turn, and repeats the last one. Counts complete requests.
pub(crate) struct Raw {
    pub(crate) address: String,
    requests: Arc<AtomicUsize>,
}

impl Raw {
    pub(crate) async fn start(faults: Vec<Fault>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&requests);
        tokio::spawn(async move {
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let (faults, counter) = (faults.clone(), Arc::clone(&counter));
                tokio::spawn(async move {
                    if read_request(&mut socket).await.is_err() {
                        return;
                    }
                    let index = counter.fetch_add(1, Ordering::SeqCst).min(faults.len() - 1);
                    match &faults[index] {
                        Fault::Write(bytes) => {
                            let _ = socket.write_all(bytes).await;
                            let _ = socket.shutdown().await;
                        }
                        Fault::Hang => std::future::pending().await,
                    }
                });
            }
        });
        Self { address, requests }
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Reads a request with its body.
pub(crate) async fn read_request(socket: &mut TcpStream) -> io::Result<()> {
    let mut seen = Vec::new();
    loop {
        if let Some(end) = seen.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&seen[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            if seen.len() - end - 4 >= length.parse::<usize>().unwrap() {
                return Ok(());
            }
        }
        let mut chunk = [0; 4096];
        match socket.read(&mut chunk).await? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => seen.extend_from_slice(&chunk[..count]),
        }
    }
}

/// An HTTP/1.1 answer as bytes, with the length that it should have.
pub(crate) fn raw_answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

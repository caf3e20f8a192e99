//! A proxy that breaks the connection at the worst moment.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// The moment at which the connection breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The connection breaks before the server has seen the request.
    Request,
    /// The connection breaks when the server has done the work, before the first byte of the answer.
    Answer,
}

/// Forwards everything, except for the first requests with a given path.
pub(crate) struct CuttingProxy {
    address: SocketAddr,
    seen: Arc<AtomicUsize>,
}

#[derive(Clone)]
struct Fault {
    cut: Cut,
    /// The end of the request's path.
    ends: &'static str,
    times: usize,
    seen: Arc<AtomicUsize>,
}

impl CuttingProxy {
    /// Starts a proxy to this server. It cuts the first `times` `POST` requests whose path ends with `ends`.
    pub(crate) async fn to(server: SocketAddr, cut: Cut, ends: &'static str, times: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(AtomicUsize::new(0));
        let fault = Fault { cut, ends, times, seen: Arc::clone(&seen) };
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let server = TcpStream::connect(server).await.unwrap();
                tokio::spawn(pass(client, server, fault.clone()));
            }
        });
        Self { address, seen }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Number of such requests, cut or not.
    pub(crate) fn seen(&self) -> usize {
        self.seen.load(Ordering::SeqCst)
    }
}

async fn pass(client: TcpStream, server: TcpStream, fault: Fault) {
    let (requests, answers) = client.into_split();
    let (from, to) = server.into_split();
    let is_cut = Arc::new(AtomicBool::new(false));
    tokio::select! {
        () = pass_requests(requests, to, &fault, &is_cut) => {}
        () = pass_answers(from, answers, &is_cut) => {}
    }
}

async fn pass_requests(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, fault: &Fault, is_cut: &AtomicBool) {
    while let Some(request) = read_request(&mut from).await {
        let line = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let path = line.split_whitespace().nth(1).unwrap_or_default();
        let path = path.split('?').next().unwrap_or_default();
        let meant = line.starts_with("POST ") && path.ends_with(fault.ends) && !line.contains("dryRun");
        if meant && fault.seen.fetch_add(1, Ordering::SeqCst) < fault.times {
            if fault.cut == Cut::Request {
                return;
            }
            is_cut.store(true, Ordering::SeqCst);
        }
        if to.write_all(&request).await.is_err() {
            return;
        }
    }
}

async fn pass_answers(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, is_cut: &AtomicBool) {
    let mut chunk = [0; 16 * 1024];
    loop {
        match from.read(&mut chunk).await {
            Ok(count) if count > 0 && !is_cut.load(Ordering::SeqCst) => {
                if to.write_all(&chunk[..count]).await.is_err() {
                    return;
                }
            }
            _ => return,
        }
    }
}

/// A request with its body; `None` at the end of the connection.
async fn read_request(from: &mut OwnedReadHalf) -> Option<Vec<u8>> {
    let mut seen = Vec::new();
    loop {
        if let Some(end) = seen.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&seen[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            if seen.len() - end - 4 >= length.parse::<usize>().unwrap() {
                return Some(seen);
            }
        }
        let mut chunk = [0; 16 * 1024];
        match from.read(&mut chunk).await {
            Ok(count) if count > 0 => seen.extend_from_slice(&chunk[..count]),
            _ => return None,
        }
    }
}

//! Endpoints that cost little: they look for a message's number and answer 200, or misbehave as their path says.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use l10n_testkit::receiver::{Authority, Certificate};
use rustls::ServerConfig;
use tempfile::NamedTempFile;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::load::Times;

/// Answers 200 at once.
pub(crate) const FINE: &str = "/fine";
/// Takes the message and never answers.
pub(crate) const HANGING: &str = "/hanging";
/// Answers 200 with 512 MiB.
pub(crate) const HUGE: &str = "/huge";
/// Answers 200 and then a byte a second.
pub(crate) const DRIPPING: &str = "/dripping";

/// The endpoints. They end when this is dropped.
pub(crate) struct Sink {
    address: SocketAddr,
    ca: Option<NamedTempFile>,
    times: Arc<Mutex<Arc<Times>>>,
    _ends: DropGuard,
}

impl Sink {
    pub(crate) async fn start(tls: bool) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (acceptor, ca) =
            if tls { identity().map(|(acceptor, ca)| (Some(acceptor), Some(ca)))? } else { (None, None) };
        let times = Arc::new(Mutex::new(Times::new(0)));
        let ends = CancellationToken::new();
        let (current, stop) = (Arc::clone(&times), ends.clone());
        tokio::spawn(async move {
            while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
                let Ok((stream, _)) = accepted else { continue };
                let (current, stop, acceptor) = (Arc::clone(&current), stop.clone(), acceptor.clone());
                tokio::spawn(async move {
                    let _ = stream.set_nodelay(true);
                    let serving = async {
                        match acceptor {
                            None => serve(stream, &current).await,
                            Some(acceptor) => serve(acceptor.accept(stream).await?, &current).await,
                        }
                    };
                    // One that breaks has been dropped by the server, as it may.
                    let _ = stop.run_until_cancelled(serving).await;
                });
            }
        });
        Ok(Self { address, ca, times, _ends: ends.drop_guard() })
    }

    /// From now on messages are those of `times`.
    pub(crate) fn count(&self, times: &Arc<Times>) {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(times);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.ca.is_some() { "https" } else { "http" }, self.address)
    }

    pub(crate) fn ca(&self) -> Option<&Path> {
        self.ca.as_ref().map(NamedTempFile::path)
    }
}

fn identity() -> Result<(TlsAcceptor, NamedTempFile)> {
    let authority = Authority::new()?;
    let (certificate, key) = authority.issue(Certificate::Valid, &["127.0.0.1".to_owned()])?;
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)?;
    let ca = NamedTempFile::new()?;
    std::fs::write(ca.path(), authority.pem())?;
    Ok((Arc::new(config).into(), ca))
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, times: &Mutex<Arc<Times>>) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(8_192);
    loop {
        let (path, length) = loop {
            if let Some(request) = whole(&buffer) {
                break request;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        if let Some(message) = number(&buffer[..length]) {
            let times = Arc::clone(&times.lock().unwrap_or_else(PoisonError::into_inner));
            times.receive(message);
        }
        buffer.drain(..length);
        match path.as_str() {
            HANGING => return std::future::pending().await,
            HUGE => {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 536870912\r\n\r\n").await?;
                let zeros = vec![0; 1 << 20];
                for _ in 0..512 {
                    stream.write_all(&zeros).await?;
                }
            }
            DRIPPING => {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n").await?;
                loop {
                    stream.write_all(b"x").await?;
                    stream.flush().await?;
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
            _ => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await?,
        }
        stream.flush().await?;
    }
}

/// The path of the request that the buffer begins with, and its length, once it is there whole.
fn whole(buffer: &[u8]) -> Option<(String, usize)> {
    const NAME: &[u8] = b"content-length:";
    let head = find(buffer, b"\r\n\r\n")? + 4;
    let lines = buffer[..head].split(|byte| *byte == b'\n');
    let length = lines.clone().find(|line| line.len() > NAME.len() && line[..NAME.len()].eq_ignore_ascii_case(NAME))?;
    let length: usize = std::str::from_utf8(&length[NAME.len()..]).ok()?.trim().parse().ok()?;
    if buffer.len() < head + length {
        return None;
    }
    let path = buffer.split(|byte| *byte == b' ').nth(1)?;
    Some((String::from_utf8_lossy(path).into_owned(), head + length))
}

/// The number of the message, which the label says.
fn number(request: &[u8]) -> Option<usize> {
    const LABEL: &[u8] = b"\"label\":\"";
    let at = find(request, LABEL)? + LABEL.len();
    std::str::from_utf8(request.get(at..at + 9)?).ok()?.parse().ok()
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

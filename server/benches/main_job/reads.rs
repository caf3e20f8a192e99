//! Reads per second, over connections that stay open and with as little work on this side as can be.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const CONNECTIONS: usize = 4;
const TIME: Duration = Duration::from_secs(2);

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) etag: String,
    bytes: Vec<u8>,
    /// The offset of the body.
    from: usize,
}

impl Answer {
    pub(crate) fn body(&self) -> &[u8] {
        self.bytes.get(self.from..).unwrap_or_default()
    }
}

/// One request.
pub(crate) async fn once(address: SocketAddr, path: &str, etag: Option<&str>) -> Result<Answer> {
    Connection::open(address).await?.ask(&request(path, etag)).await
}

/// Reads one path over and over; the reads per second.
pub(crate) async fn rate(address: SocketAddr, path: &str, etag: Option<&str>) -> Result<f64> {
    let status = if etag.is_some() { 304 } else { 200 };
    let began = Instant::now();
    let readers: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let request = request(path, etag);
            tokio::spawn(async move {
                let mut connection = Connection::open(address).await?;
                let mut count = 0_u32;
                while began.elapsed() < TIME {
                    let answer = connection.ask(&request).await?;
                    ensure!(answer.status == status, "a read was answered with {}", answer.status);
                    connection.buffer = answer.bytes;
                    count += 1;
                }
                Ok(count)
            })
        })
        .collect();
    let mut count = 0;
    for reader in readers {
        count += reader.await??;
    }
    Ok(f64::from(count) / began.elapsed().as_secs_f64())
}

fn request(path: &str, etag: Option<&str>) -> String {
    let condition = etag.map_or(String::new(), |etag| format!("if-none-match: {etag}\r\n"));
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\n{condition}\r\n")
}

struct Connection {
    stream: TcpStream,
    /// Kept from one answer to the next.
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    async fn ask(&mut self, request: &str) -> Result<Answer> {
        self.stream.write_all(request.as_bytes()).await?;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let (status, etag, from, length) = loop {
            ensure!(self.stream.read_buf(&mut buffer).await? > 0, "the connection was closed");
            if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = std::str::from_utf8(&buffer[..end])?;
                let status: u16 = head.get(9..12).context("no status")?.parse()?;
                let field = |name: &str| {
                    head.lines()
                        .filter_map(|line| line.split_once(": "))
                        .find(|(own, _)| own.eq_ignore_ascii_case(name))
                };
                let length = match field("content-length") {
                    Some((_, length)) if status != 304 => length.parse()?,
                    _ => 0,
                };
                break (status, field("etag").map_or("", |(_, tag)| tag).to_owned(), end + 4, length);
            }
        };
        while buffer.len() < from + length {
            ensure!(self.stream.read_buf(&mut buffer).await? > 0, "the connection was closed");
        }
        Ok(Answer { status, etag, bytes: buffer, from })
    }
}

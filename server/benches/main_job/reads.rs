//! Reads over connections that stay open, with as little work on this side as can be.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const TIME: Duration = Duration::from_secs(2);

/// A request, as it is sent, and what answers it.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    text: String,
    status: u16,
    gzip: bool,
}

impl Request {
    /// A read of a file, compressed or not, which is 304 to the holder of an entity tag.
    pub(crate) fn new(path: &str, gzip: bool, etag: Option<&str>) -> Self {
        let coding = if gzip { "accept-encoding: gzip\r\n" } else { "" };
        let condition = etag.map_or(String::new(), |etag| format!("if-none-match: {etag}\r\n"));
        let text = format!("GET {path} HTTP/1.1\r\nhost: bench\r\n{coding}{condition}\r\n");
        Self { text, status: if etag.is_some() { 304 } else { 200 }, gzip }
    }
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) etag: String,
    pub(crate) body: Vec<u8>,
}

/// One request on a connection of its own.
pub(crate) async fn once(address: SocketAddr, request: &Request) -> Result<Answer> {
    let mut stream = TcpStream::connect(address).await?;
    let mut buffer = Vec::new();
    let (etag, from) = exchange(&mut stream, request, &mut buffer).await?;
    Ok(Answer { etag, body: buffer.split_off(from) })
}

/// Sends a request over and over for two seconds, on so many connections; returns the number of answers.
pub(crate) async fn run(address: SocketAddr, request: &Request, connections: usize) -> Result<f64> {
    let began = Instant::now();
    let readers: Vec<_> = (0..connections)
        .map(|_| {
            let request = request.clone();
            tokio::spawn(async move {
                let mut stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                let (mut buffer, mut reads) = (Vec::new(), 0_u32);
                while began.elapsed() < TIME {
                    exchange(&mut stream, &request, &mut buffer).await?;
                    reads += 1;
                }
                Ok::<_, anyhow::Error>(reads)
            })
        })
        .collect();
    let mut reads = 0;
    for reader in readers {
        reads += reader.await??;
    }
    Ok(f64::from(reads))
}

/// Returns the entity tag, and where in the buffer the body begins.
async fn exchange(stream: &mut TcpStream, request: &Request, buffer: &mut Vec<u8>) -> Result<(String, usize)> {
    stream.write_all(request.text.as_bytes()).await?;
    buffer.clear();
    let (etag, from, length) = loop {
        ensure!(stream.read_buf(buffer).await? > 0, "the connection was closed");
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = std::str::from_utf8(&buffer[..end])?;
            let status: u16 = head.get(9..12).context("no status")?.parse()?;
            ensure!(status == request.status, "{head}");
            let field = |name: &str| {
                head.lines().filter_map(|line| line.split_once(": ")).find(|(own, _)| own.eq_ignore_ascii_case(name))
            };
            let is_coded = field("content-encoding").is_some_and(|(_, coding)| coding == "gzip");
            ensure!(status != 200 || is_coded == request.gzip, "{head}");
            let length = match field("content-length") {
                Some((_, length)) if status != 304 => length.parse()?,
                None if status != 304 => anyhow::bail!("an answer without a length: {head}"),
                _ => 0,
            };
            break (field("etag").map_or("", |(_, tag)| tag).to_owned(), end + 4, length);
        }
    };
    while buffer.len() < from + length {
        ensure!(stream.read_buf(buffer).await? > 0, "the connection was closed");
    }
    Ok((etag, from))
}

//! HTTP/1.1 by hand: sends bytes as they are, and reads answers one after the other.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use rustls::pki_types::ServerName;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::Url;

/// Status, headers and body of an answer that was read from a bare connection.
pub(crate) type RawAnswer = (u16, Vec<(String, Vec<u8>)>, Bytes);

/// Sends `bytes` to the host of `base` and reads answers until there are `count` or the connection ends.
pub(crate) async fn exchange(base: &Url, bytes: &[u8], count: usize) -> io::Result<Vec<RawAnswer>> {
    let host = base.host_str().ok_or_else(|| io::Error::other("the URL has no host"))?;
    let port = base.port_or_known_default().unwrap_or(80);
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await?;
    if base.scheme() == "http" {
        return talk(stream, bytes, count).await;
    }
    let config = crate::tls::client_config(base, None).map_err(io::Error::other)?;
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    talk(TlsConnector::from(Arc::new(config)).connect(name, stream).await?, bytes, count).await
}

async fn talk(stream: impl AsyncRead + AsyncWrite + Unpin, bytes: &[u8], count: usize) -> io::Result<Vec<RawAnswer>> {
    let mut stream = BufReader::new(stream);
    // A deployment may answer before it has read everything, and close: its answer still counts.
    let sent = stream.write_all(bytes).await.and(stream.flush().await);
    let mut answers = Vec::new();
    while answers.len() < count {
        match answer(&mut stream).await {
            Ok(Some(answer)) => answers.push(answer),
            Ok(None) => break,
            Err(error) if answers.is_empty() => return Err(sent.err().unwrap_or(error)),
            Err(_) => break,
        }
    }
    Ok(answers)
}

async fn answer(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<RawAnswer>> {
    let Some(first) = line(stream).await? else { return Ok(None) };
    let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status: u16 = status.ok_or_else(|| io::Error::other(format!("no status line: {first}")))?;
    let mut headers = Vec::new();
    while let Some(text) = line(stream).await?.filter(|text| !text.is_empty()) {
        if let Some((name, value)) = text.split_once(':') {
            headers.push((name.trim().to_ascii_lowercase(), value.trim().as_bytes().to_vec()));
        }
    }
    let header = |wanted: &str| {
        let found = headers.iter().find(|(name, _)| name == wanted);
        found.and_then(|(_, value)| String::from_utf8(value.clone()).ok())
    };
    let body = if header("transfer-encoding").is_some_and(|value| value.contains("chunked")) {
        chunks(stream).await?
    } else if let Some(length) = header("content-length").and_then(|value| value.parse::<usize>().ok()) {
        let mut body = vec![0; length.min(16 * 1024 * 1024)];
        stream.read_exact(&mut body).await?;
        body
    } else {
        Vec::new()
    };
    if status == 100 {
        return Box::pin(answer(stream)).await;
    }
    Ok(Some((status, headers, Bytes::from(body))))
}

async fn chunks(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(stream).await?.unwrap_or_default();
        let size =
            usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16).map_err(io::Error::other)?;
        if size == 0 || body.len() + size > 16 * 1024 * 1024 {
            line(stream).await?;
            return Ok(body);
        }
        let start = body.len();
        body.resize(start + size, 0);
        stream.read_exact(&mut body[start..]).await?;
        line(stream).await?;
    }
}

/// A line without its end; `None` at the end of the connection.
async fn line(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = (&mut *stream).take(64 * 1024).read_until(b'\n', &mut bytes).await?;
    if read == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned()))
}

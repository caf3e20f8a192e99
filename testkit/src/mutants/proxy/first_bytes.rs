//! The first bytes of a connection: whether a proxy can take part in it, or has to hand on bytes alone.

use std::time::Duration;

use http::Uri;
use httparse::Status;
use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::wire::USER_AGENT;

/// Time in which the rest of a handwritten request arrives: it is written at once.
const REST: Duration = Duration::from_millis(300);
const MOST_HEADERS: usize = 256;
const LONGEST: usize = 1024 * 1024;

/// With what a client begins that speaks HTTP/2 (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The kind of a connection's first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionKind {
    /// A request that a proxy can read whole.
    Whole,
    /// HTTP/2.
    Http2,
    /// Bytes to hand on.
    Otherwise,
}

/// Returns the bytes read, and their kind.
///
/// A request that is broken or incomplete must reach the server unchanged: the suite examines the server's reaction to
/// it.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> (Vec<u8>, ConnectionKind) {
    let mut bytes = Vec::new();
    loop {
        let more = match judge(&bytes) {
            HeadState::Whole => return (bytes, ConnectionKind::Whole),
            HeadState::Http2 => return (bytes, ConnectionKind::Http2),
            HeadState::Broken => return (bytes, ConnectionKind::Otherwise),
            HeadState::Head => stream.read_buf(&mut bytes).await.unwrap_or(0),
            HeadState::Body => {
                let reading = tokio::time::timeout(REST, stream.read_buf(&mut bytes)).await;
                reading.map_or(0, |read| read.unwrap_or(0))
            }
        };
        if more == 0 || bytes.len() > LONGEST {
            return (bytes, ConnectionKind::Otherwise);
        }
    }
}

enum HeadState {
    /// The head is not over.
    Head,
    /// The head is over, the body is not.
    Body,
    Whole,
    Http2,
    Broken,
}

fn judge(bytes: &[u8]) -> HeadState {
    if bytes.starts_with(PREFACE) {
        return HeadState::Http2;
    }
    if PREFACE.starts_with(bytes) {
        return HeadState::Head;
    }
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let body = match request.parse(bytes) {
        Ok(Status::Partial) => return HeadState::Head,
        Ok(Status::Complete(head)) => &bytes[head..],
        Err(_) => return HeadState::Broken,
    };
    if request.path.is_none_or(|path| path.parse::<Uri>().is_err()) {
        return HeadState::Broken;
    }
    let values = |wanted: &str| -> Vec<&[u8]> {
        let named = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(wanted));
        named.map(|header| header.value).collect()
    };
    // Of the suite's client nothing is broken, and what it sends is long.
    if values("user-agent").contains(&USER_AGENT.as_bytes()) {
        return HeadState::Whole;
    }
    match (values("transfer-encoding")[..].len(), &values("content-length")[..]) {
        (0, []) => HeadState::Whole,
        (0, [length]) => match std::str::from_utf8(length).ok().and_then(|length| length.parse::<usize>().ok()) {
            Some(length) if body.len() >= length => HeadState::Whole,
            Some(_) => HeadState::Body,
            None => HeadState::Broken,
        },
        (1, []) if chunks_end(body) => HeadState::Whole,
        (1, []) => HeadState::Body,
        _ => HeadState::Broken,
    }
}

/// Returns true if these are complete chunks, the last one included.
fn chunks_end(mut body: &[u8]) -> bool {
    while let Ok(Status::Complete((start, size))) = httparse::parse_chunk_size(body) {
        if size == 0 {
            return body[start..].starts_with(b"\r\n");
        }
        let Some(end) = usize::try_from(size).ok().and_then(|size| start.checked_add(size)?.checked_add(2)) else {
            return false;
        };
        if body.len() < end || &body[end - 2..end] != b"\r\n" {
            return false;
        }
        body = &body[end..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn whole(bytes: &str) -> bool {
        let (read, whole) = read(&mut bytes.as_bytes()).await;
        assert_eq!(read, bytes.as_bytes());
        whole == ConnectionKind::Whole
    }

    #[tokio::test]
    async fn a_client_that_speaks_http_2_is_known_by_its_first_bytes() {
        let (first, rest) = PREFACE.split_at(9);
        let bytes = [rest, b"frames"].concat();
        let (read, begins) = read(&mut first.chain(&bytes[..])).await;
        assert_eq!((begins, read.starts_with(PREFACE)), (ConnectionKind::Http2, true));
    }

    #[tokio::test]
    async fn a_request_that_is_broken_or_without_its_end_is_handed_on_as_bytes() {
        assert!(whole("GET /v1/x HTTP/1.1\r\nhost: a\r\n\r\n").await);
        assert!(whole("POST /v1/x HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}").await);
        assert!(whole("POST /v1/x HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n").await);
        assert!(!whole("GET /v1/x HTTP/1.1\r\nhost: a\r\n").await);
        assert!(!whole("GET\r\n\r\n").await);
        assert!(!whole("POST /v1/x HTTP/1.1\r\ncontent-length: 3\r\n\r\n{}").await);
        assert!(!whole("POST /v1/x HTTP/1.1\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}").await);
        assert!(!whole("POST /v1/x HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nz\r\n{}\r\n0\r\n\r\n").await);
        assert!(!whole("POST /v1/x HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}").await);
    }
}

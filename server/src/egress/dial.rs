//! Opens connections to vetted addresses.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::either::Either;

use super::failure::{SendFailure, tls_error};
use super::target::Target;

/// Time after which the next address is tried beside a connection that is not open yet (RFC 8305).
const STAGGER: Duration = Duration::from_millis(250);

/// Most addresses of a host that are tried: a name with a thousand addresses must not make this server knock at all of
/// them.
const MOST_ADDRESSES: usize = 8;

/// Size limit of the head of an endpoint's answer, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;

type Stream = Either<TlsStream<TcpStream>, TcpStream>;

/// An open connection. It makes progress only while somebody drives it, so that an attempt is one task.
pub(super) struct Connection {
    pub(super) sender: SendRequest<Full<Bytes>>,
    /// `None` once it has ended: only when it is dropped does it give back the request that it never sent.
    pub(super) driver: Option<http1::Connection<TokioIo<Stream>, Full<Bytes>>>,
    /// The other end, one of the addresses that were vetted.
    pub(super) peer: SocketAddr,
}

/// Connects to the first of the addresses that answers.
pub(super) async fn connect(addresses: &[IpAddr], port: u16) -> Result<TcpStream, SendFailure> {
    let mut waiting = by_turns(addresses).into_iter().take(MOST_ADDRESSES).peekable();
    let mut trying = FuturesUnordered::new();
    let mut first_error = None;
    loop {
        if let Some(address) = waiting.next() {
            trying.push(TcpStream::connect((address, port)));
        }
        let outcome = if waiting.peek().is_some() {
            match timeout(STAGGER, trying.next()).await {
                Ok(outcome) => outcome,
                Err(_) => continue,
            }
        } else {
            trying.next().await
        };
        match outcome {
            Some(Ok(stream)) => return Ok(stream),
            Some(Err(error)) => first_error = first_error.or(Some(error)),
            None => break,
        }
    }
    let error = first_error.unwrap_or_else(|| std::io::ErrorKind::AddrNotAvailable.into());
    Err(SendFailure::connecting(&error))
}

/// IPv6 and IPv4 by turns, each in the order of the answer, so that a machine without IPv6 loses one step at most.
fn by_turns(addresses: &[IpAddr]) -> Vec<IpAddr> {
    let (v6, v4): (Vec<IpAddr>, Vec<IpAddr>) = addresses.iter().partition(|address| address.is_ipv6());
    (0..v6.len().max(v4.len())).flat_map(|turn| [v6.get(turn), v4.get(turn)]).flatten().copied().collect()
}

/// Speaks TLS where the target wants it, then HTTP/1.1.
pub(super) async fn handshake(
    tls: &TlsConnector,
    target: &Target,
    stream: TcpStream,
) -> Result<Connection, SendFailure> {
    let failed = |error: std::io::Error| match tls_error(&error) {
        Some(error) => super::tls::failure(error),
        None => SendFailure::connecting(&error),
    };
    let peer = stream.peer_addr().map_err(failed)?;
    // A delivery is one write; waiting for more of it would only add to its time.
    stream.set_nodelay(true).map_err(failed)?;
    let stream = if target.secured {
        Either::Left(tls.connect(target.server_name.clone(), stream).await.map_err(failed)?)
    } else {
        Either::Right(stream)
    };
    let (sender, driver) = http1::Builder::new()
        .max_buf_size(LARGEST_HEAD)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| SendFailure::exchanging(&error))?;
    Ok(Connection { sender, driver: Some(driver), peer })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_families_have_their_turn() {
        let parse = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<IpAddr>>();
        for (given, expected) in [
            (&["1.1.1.1", "1.0.0.1", "2::1"][..], &["2::1", "1.1.1.1", "1.0.0.1"][..]),
            (&["2::1", "2::2", "1.1.1.1"], &["2::1", "1.1.1.1", "2::2"]),
            (&["1.1.1.1", "1.0.0.1"], &["1.1.1.1", "1.0.0.1"]),
            (&[], &[]),
        ] {
            assert_eq!(by_turns(&parse(given)), parse(expected));
        }
    }
}

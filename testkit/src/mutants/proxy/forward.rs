//! One request further, on a connection of its own.

use std::error::Error;
use std::io;
use std::pin::Pin;

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, Request, Response};
use http_body::Frame;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

/// A body on its way.
pub(super) type ProxyBody = UnsyncBoxBody<Bytes, ProxyError>;

/// The reason why a connection breaks.
pub(super) type ProxyError = Box<dyn Error + Send + Sync>;

/// A stream to somewhere.
pub(super) type Stream = Pin<Box<dyn ReadWrite>>;

/// A stream that can be read and written.
pub(super) trait ReadWrite: AsyncRead + AsyncWrite + Send {}

impl<T: AsyncRead + AsyncWrite + Send> ReadWrite for T {}

/// Begins HTTP on a stream.
pub(super) async fn begin(stream: Stream) -> io::Result<SendRequest<ProxyBody>> {
    let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(async move {
        // What breaks is told to who waits for the answer.
        let _ = connection.await;
    });
    Ok(sender)
}

/// Sends a request, and returns its answer as soon as its head is there.
pub(super) async fn send(
    sender: &mut SendRequest<ProxyBody>,
    mut request: Request<()>,
    body: Bytes,
    chunked: bool,
) -> Result<Response<Incoming>, ProxyError> {
    without_hop(request.headers_mut());
    request.headers_mut().remove(CONTENT_LENGTH);
    sender.ready().await?;
    Ok(sender.send_request(request.map(|()| if chunked { in_chunks(body) } else { whole(body) })).await?)
}

/// A body whose length is known.
pub(super) fn whole(body: Bytes) -> ProxyBody {
    Full::new(body).map_err(|never| match never {}).boxed_unsync()
}

/// A body whose length is not told beforehand.
fn in_chunks(body: Bytes) -> ProxyBody {
    let frames: Vec<_> = body.chunks(64 * 1024).map(|chunk| Ok(Frame::data(Bytes::copy_from_slice(chunk)))).collect();
    BodyExt::boxed_unsync(StreamBody::new(futures_util::stream::iter(frames)))
}

/// Drops what belongs to one connection alone.
pub(super) fn without_hop(headers: &mut HeaderMap) {
    for name in [CONNECTION, TRANSFER_ENCODING, HeaderName::from_static("keep-alive")] {
        headers.remove(name);
    }
}

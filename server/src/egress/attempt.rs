//! One request on one connection.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::Poll;

use http::{HeaderMap, Method, Request, StatusCode, Uri, header};
use http_body::Body as _;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::TrySendError;
use tokio::time::Instant;

use super::dial::Connection;
use super::failure::SendFailure;
use super::target::Target;

/// Most bytes of an answer's body that are read: enough that usual answers leave the connection usable.
const MOST_OF_BODY: usize = 64 * 1024;

/// Bytes of an answer's body that are kept.
const KEPT_OF_BODY: usize = 2 * 1024;

/// The beginning of an answer's body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Its first bytes, 2,048 at most.
    pub bytes: Vec<u8>,
    /// True if there is more, or if more was to come.
    pub is_cut: bool,
}

impl Excerpt {
    fn add(&mut self, data: &[u8]) {
        let room = KEPT_OF_BODY.saturating_sub(self.bytes.len()).min(data.len());
        let (kept, rest) = data.split_at(room);
        self.bytes.extend_from_slice(kept);
        self.is_cut |= !rest.is_empty();
    }
}

/// The request of a delivery.
pub(super) fn request(target: &Target, mut headers: HeaderMap, body: Bytes) -> Request<Full<Bytes>> {
    headers.insert(header::HOST, target.host_header.clone());
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = Uri::from(target.path.clone());
    *request.headers_mut() = headers;
    request
}

/// Sends the request and gives back the head of the answer, with its body still to come. An error has the request with it
/// when nothing of it was sent.
pub(super) async fn ask(
    connection: &mut Connection,
    request: Request<Full<Bytes>>,
) -> Result<(StatusCode, Incoming), TrySendError<Request<Full<Bytes>>>> {
    let answer = connection.sender.try_send_request(request);
    let answer = drive(&mut connection.driver, answer).await?;
    let (head, body) = answer.into_parts();
    Ok((head.status, body))
}

/// Sends the request and gives back the answer, with its body still to come.
pub(super) async fn answer(
    connection: &mut Connection,
    request: Request<Full<Bytes>>,
) -> Result<http::Response<Incoming>, SendFailure> {
    let answer = connection.sender.try_send_request(request);
    drive(&mut connection.driver, answer).await.map_err(|error| SendFailure::exchanging(error.error()))
}

/// Reads the body to its end, if it comes soon and is small, and keeps its beginning. Says whether the connection can be used
/// again.
pub(super) async fn drain(
    connection: &mut Connection,
    status: StatusCode,
    body: Incoming,
    until: Instant,
) -> (bool, Excerpt) {
    let mut kept = Excerpt::default();
    // Another protocol follows 101.
    if status == StatusCode::SWITCHING_PROTOCOLS {
        return (false, kept);
    }
    let read = async {
        let mut body = pin!(body);
        let mut size = 0;
        while let Some(frame) = std::future::poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
            let Ok(frame) = frame else { return false };
            let data = frame.data_ref().map_or(&[][..], |data| &data[..]);
            size += data.len();
            kept.add(data);
            if size > MOST_OF_BODY {
                return false;
            }
        }
        true
    };
    let read = tokio::time::timeout_at(until, drive(&mut connection.driver, read)).await;
    let is_whole = read == Ok(true);
    kept.is_cut |= !is_whole;
    (is_whole && is_usable(connection).await, kept)
}

/// Returns whether the other end still listens, as far as this end can know.
pub(super) async fn is_usable(connection: &mut Connection) -> bool {
    // One that is in order is ready at once; one that is not would never be.
    let mut ready = pin!(drive(&mut connection.driver, connection.sender.ready()));
    std::future::poll_fn(|cx| Poll::Ready(matches!(ready.as_mut().poll(cx), Poll::Ready(Ok(()))))).await
}

/// Waits for `work` while the connection it is done on makes progress. The connection may end before the work.
pub(super) async fn drive<C: Future + Unpin, W: Future>(connection: &mut Option<C>, work: W) -> W::Output {
    let mut work = pin!(work);
    std::future::poll_fn(|cx| {
        // First, since it does what the work waits for, and notices that the other end is gone.
        if connection.as_mut().is_some_and(|connection| Pin::new(connection).poll(cx).is_ready()) {
            *connection = None;
        }
        work.as_mut().poll(cx)
    })
    .await
}

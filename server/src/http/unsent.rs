//! Large answers that are whole when they are sent: they are counted until their clients have taken them.
//!
//! The HTTP library takes the bytes out of a body long before they are sent. So it is the bytes that hold the permit, not the
//! body. Of an answer that is made while it is sent, each part is counted by whoever makes it.

use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::byte_budget::{ByteBudget, BytePermit, LARGE_ANSWER, owning};

/// Put into the extensions of an answer whose bytes are counted already.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted;

/// Counts an answer, if it is large and there is room for it; `None` where there is none.
pub(super) fn admit<K>(response: Response, budget: &ByteBudget<K>, key: K) -> Option<Response>
where
    K: Eq + Hash + Clone + Send + Sync + 'static,
{
    match large(&response) {
        Some(bytes) => Some(holding(response, budget.take_free(key, bytes)?)),
        None => Some(response),
    }
}

/// Counts an answer, if it is large. It tells what was done, and is given in any case.
pub(super) fn count<K>(response: Response, budget: &ByteBudget<K>, key: K) -> Response
where
    K: Eq + Hash + Clone + Send + Sync + 'static,
{
    match large(&response) {
        Some(bytes) => holding(response, budget.count(key, bytes)),
        None => response,
    }
}

/// The bytes of a large answer that is whole and not counted yet.
fn large(response: &Response) -> Option<usize> {
    let bytes = usize::try_from(http_body::Body::size_hint(response.body()).exact()?).unwrap_or(usize::MAX);
    (bytes > LARGE_ANSWER && response.extensions().get::<Counted>().is_none()).then_some(bytes)
}

fn holding<K>(mut response: Response, permit: BytePermit<K>) -> Response
where
    K: Eq + Hash + Send + Sync + 'static,
{
    response.extensions_mut().insert(Counted);
    response.map(|body| Body::new(HeldBody { body, permit: Arc::new(permit) }))
}

/// A body whose bytes hold a permit.
struct HeldBody<P> {
    body: Body,
    permit: Arc<P>,
}

impl<P: Send + Sync + 'static> http_body::Body for HeldBody<P> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let held = |bytes| owning(bytes, Arc::clone(&self.permit));
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(held))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    fn answer(bytes: usize) -> Response {
        Response::new(Body::from(vec![b'x'; bytes]))
    }

    #[tokio::test]
    async fn a_large_answer_is_counted_until_its_bytes_are_gone_and_keeps_its_length() {
        let budget = ByteBudget::new(1_000_000, 1_000_000);
        let counted = admit(answer(100_000), &budget, "one").unwrap();
        assert_eq!(budget.held(), 100_000);
        let again = admit(counted, &budget, "one").unwrap();
        assert_eq!(budget.held(), 100_000, "nothing is counted twice");
        let mut body = again.into_body();
        assert_eq!(http_body::Body::size_hint(&body).exact(), Some(100_000));
        let bytes = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert!(body.frame().await.is_none());
        drop(body);
        assert_eq!((bytes.len(), budget.held()), (100_000, 100_000), "the body is gone, its bytes are not");
        drop(bytes);
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn what_finds_no_room_is_refused_unless_it_tells_what_was_done() {
        let budget = ByteBudget::new(150_000, 150_000);
        let _first = admit(answer(100_000), &budget, "one").unwrap();
        assert!(admit(answer(100_000), &budget, "two").is_none());
        let _small = admit(answer(LARGE_ANSWER), &budget, "two").unwrap();
        let _done = count(answer(100_000), &budget, "two");
        assert_eq!(budget.held(), 200_000);
    }
}

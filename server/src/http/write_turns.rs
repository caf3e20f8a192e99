//! Turns at writing answers: small ones go at once, the rest of large ones in pieces, and few of these at a time.

use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::PollSemaphore;

/// Bytes of an answer that are written before other connections have their turn. To copy a large one whole takes as long as
/// dozens of small requests, and many that come together would hold up all others.
const TURN_BYTES: usize = 64 * 1024;

/// The turns of all connections at writing what is beyond the first part of a large answer: as many at a time as there are
/// cores. The others wait outside of the queue of tasks that can run, so that small requests meet a few of them there and not
/// all.
#[derive(Clone)]
pub(super) struct WriteTurns(PollSemaphore);

impl WriteTurns {
    pub(super) fn new() -> Self {
        Self::of(std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn of(at_once: usize) -> Self {
        Self(PollSemaphore::new(Arc::new(Semaphore::new(at_once))))
    }
}

/// A connection's place among those that write.
pub(super) struct WriteTurn {
    state: State,
    turns: WriteTurns,
}

enum State {
    /// So many bytes may be written.
    Open(usize),
    /// The others have their turn first.
    Over,
    /// The connection waits for its next turn.
    Waiting,
    /// It has its turn, for one write.
    Held(#[expect(dead_code, reason = "the turn ends when it is dropped")] Option<OwnedSemaphorePermit>),
}

impl WriteTurn {
    pub(super) fn new(turns: WriteTurns) -> Self {
        Self { state: State::Open(TURN_BYTES), turns }
    }

    /// Bytes that may be written now. Where there are none, the others have their turn first.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
        loop {
            match self.state {
                State::Open(bytes) => return Poll::Ready(bytes),
                State::Held(_) => return Poll::Ready(TURN_BYTES),
                State::Over => {
                    self.state = State::Waiting;
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                State::Waiting => self.state = State::Held(ready!(self.turns.0.poll_acquire(cx))),
            }
        }
    }

    /// Ends a write. A turn that was waited for ends with it, so that a client that takes no more holds up nobody.
    pub(super) fn written(&mut self, bytes: usize) {
        let open = if let State::Open(open) = self.state { open } else { TURN_BYTES };
        let left = open.saturating_sub(bytes);
        self.state = if left == 0 { State::Over } else { State::Open(left) };
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::Wake;

    use super::*;

    /// Knows whether a task was asked to go on.
    #[derive(Default)]
    struct Asked(AtomicBool);

    impl Wake for Asked {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    impl Asked {
        fn is_asked(&self) -> bool {
            self.0.swap(false, Ordering::Relaxed)
        }
    }

    /// Many large answers at a time would hold up small ones for as long as it takes to copy all of them.
    #[test]
    fn a_large_answer_gives_way_to_others_again_and_again() {
        let asked = Arc::new(Asked::default());
        let waker = Arc::clone(&asked).into();
        let mut cx = Context::from_waker(&waker);
        let mut turn = WriteTurn::new(WriteTurns::of(1));
        for _ in 0..5 {
            for bytes in [1, 16 * 1024, TURN_BYTES - 16 * 1024 - 1] {
                let Poll::Ready(most) = turn.poll(&mut cx) else { panic!("a part of a turn is not written") };
                assert!(most >= bytes, "{most}");
                turn.written(bytes);
            }
            assert!(turn.poll(&mut cx).is_pending() && asked.is_asked(), "it goes on when others have had their turn");
        }
    }

    /// Else dozens of them stand before a small request in the queue of tasks that can run.
    #[tokio::test]
    async fn large_answers_wait_for_one_another_and_small_ones_do_not() {
        let asked = Arc::new(Asked::default());
        let waker = Arc::clone(&asked).into();
        let mut cx = Context::from_waker(&waker);
        let turns = WriteTurns::of(1);
        let (mut first, mut second) = (WriteTurn::new(turns.clone()), WriteTurn::new(turns.clone()));
        for turn in [&mut first, &mut second] {
            turn.written(TURN_BYTES);
            assert!(turn.poll(&mut cx).is_pending() && asked.is_asked());
        }
        assert_eq!(first.poll(&mut cx), Poll::Ready(TURN_BYTES));
        assert!(second.poll(&mut cx).is_pending() && !asked.is_asked(), "it is not in the queue of tasks that can run");
        assert_eq!(
            WriteTurn::new(turns.clone()).poll(&mut cx),
            Poll::Ready(TURN_BYTES),
            "a small answer does not wait"
        );
        // The client takes no more for now, or a part.
        first.written(0);
        assert!(asked.is_asked());
        assert_eq!(second.poll(&mut cx), Poll::Ready(TURN_BYTES));
        second.written(1_000);
        assert_eq!(second.poll(&mut cx), Poll::Ready(TURN_BYTES - 1_000));
        // A connection that ends gives its turn back.
        first.written(TURN_BYTES);
        assert!(first.poll(&mut cx).is_pending() && first.poll(&mut cx).is_ready());
        drop(first);
        assert!(poll_fn(|cx| turns.clone().0.poll_acquire(cx)).await.is_some());
    }
}

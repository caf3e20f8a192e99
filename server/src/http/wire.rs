//! A client's socket: what is read passes the rules of framing first, what is written has to be taken in time and lets others
//! go on in between, and the end does not cut off the last answer.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

use super::framing::Framing;
use super::write_turns::{WriteTurn, WriteTurns};

/// Bytes that are read at once.
const READ_BYTES: usize = 8 * 1024;
/// A reader of an answer has to take so many bytes a second on average, but for the time of [`Wire::new`].
const LEAST_A_SECOND: u64 = 16 * 1024;
/// After the last answer: how long, and how much, is read of what the client is still sending. Closing a socket with
/// unread bytes resets the connection, and the client may lose the answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 4 * 1024 * 1024;
/// A client that neither sends nor takes anything for as long holds no server that is about to end.
const STUCK: Duration = Duration::from_secs(5);

/// The socket.
pub(super) struct Wire {
    stream: TcpStream,
    framing: Framing,
    /// The bytes that the HTTP library may read, from `read` on.
    checked: Vec<u8>,
    read: usize,
    turn: WriteTurn,
    lag: ReaderLag,
    linger: Option<Linger>,
    flow: Arc<Flow>,
}

struct Linger {
    ends: Pin<Box<Sleep>>,
    bytes: usize,
}

impl Wire {
    /// A client that falls behind 16 KiB a second by more than `timeout`, while bytes are ready for it, is given up.
    pub(super) fn new(stream: TcpStream, timeout: Duration, flow: Arc<Flow>, turns: WriteTurns) -> Self {
        Self {
            stream,
            framing: Framing::new(),
            checked: Vec::new(),
            read: 0,
            turn: WriteTurn::new(turns),
            lag: ReaderLag { longest: timeout, behind: Duration::ZERO, wait: None },
            linger: None,
            flow,
        }
    }

    /// The result of a write of `wanted` bytes.
    fn written(
        &mut self,
        cx: &mut Context<'_>,
        result: Poll<io::Result<usize>>,
        wanted: usize,
    ) -> Poll<io::Result<usize>> {
        match result {
            Poll::Ready(Ok(bytes)) => {
                self.flow.moves(bytes);
                self.turn.written(bytes);
                let waited = self.lag.wait.take().map_or(Duration::ZERO, |wait| wait.since.elapsed());
                self.lag.takes(bytes, wanted, waited);
                Poll::Ready(Ok(bytes))
            }
            Poll::Pending => {
                self.turn.written(0);
                self.flow.waits();
                ready!(self.lag.poll_end(cx));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not take its answer")))
            }
            failed => failed,
        }
    }

    /// Reads what still comes, until the client ends or enough was waited for.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let linger = self.linger.get_or_insert_with(|| Linger { ends: Box::pin(sleep(LINGER)), bytes: 0 });
        loop {
            let mut scratch = [const { MaybeUninit::uninit() }; READ_BYTES];
            let mut read = ReadBuf::uninit(&mut scratch);
            match Pin::new(&mut self.stream).poll_read(cx, &mut read) {
                Poll::Ready(Ok(())) if !read.filled().is_empty() && linger.bytes < LINGER_BYTES => {
                    linger.bytes += read.filled().len();
                }
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return linger.ends.as_mut().poll(cx).map(Ok),
            }
        }
    }
}

/// The lag of a client that takes what is ready for it.
struct ReaderLag {
    longest: Duration,
    /// The time that bytes waited for the client, less a second for each 16 KiB that it took.
    behind: Duration,
    wait: Option<Wait>,
}

struct Wait {
    since: Instant,
    ends: Pin<Box<Sleep>>,
}

impl ReaderLag {
    /// The client takes some bytes of those that were ready, after they have waited for it. It is behind no more when it takes
    /// all of them at once. What it waited with is not forgotten with the last byte: of a streamed answer, that is the last one
    /// of a part.
    fn takes(&mut self, bytes: usize, ready: usize, waited: Duration) {
        self.behind = if bytes == ready && waited.is_zero() {
            Duration::ZERO
        } else {
            let nanos = (bytes as u64).saturating_mul(1_000_000_000) / LEAST_A_SECOND;
            self.behind.saturating_add(waited).saturating_sub(Duration::from_nanos(nanos))
        };
    }

    /// Ready when the client is behind for too long.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let left = self.longest.saturating_sub(self.behind);
        let wait = self.wait.get_or_insert_with(|| Wait { since: Instant::now(), ends: Box::pin(sleep(left)) });
        wait.ends.as_mut().poll(cx)
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            let unread = &this.checked[this.read..];
            if !unread.is_empty() {
                let length = unread.len().min(buf.remaining());
                buf.put_slice(&unread[..length]);
                this.read += length;
                if this.read == this.checked.len() {
                    this.read = 0;
                    this.checked.clear();
                    this.checked.shrink_to(READ_BYTES);
                }
                return Poll::Ready(Ok(()));
            }
            if this.framing.is_over() {
                return match this.framing.failure() {
                    Some(error) => Poll::Ready(Err(error)),
                    // The answer ends the connection; nobody waits for more.
                    None => Poll::Pending,
                };
            }
            let mut scratch = [const { MaybeUninit::uninit() }; READ_BYTES];
            let mut read = ReadBuf::uninit(&mut scratch);
            match Pin::new(&mut this.stream).poll_read(cx, &mut read) {
                Poll::Ready(result) => result?,
                Poll::Pending => {
                    if this.framing.is_in_body() {
                        this.flow.waits();
                    }
                    return Poll::Pending;
                }
            }
            this.flow.moves(read.filled().len());
            if read.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            // What was right before a fault is read first.
            let _ = this.framing.take(read.filled(), &mut this.checked);
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let most = ready!(self.turn.poll(cx)).min(buf.len());
        let result = Pin::new(&mut self.stream).poll_write(cx, &buf[..most]);
        self.written(cx, result, buf.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wanted = bufs.iter().map(|buf| buf.len()).sum();
        let most = ready!(self.turn.poll(cx));
        let result = if wanted <= most {
            Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
        } else {
            let mut first = [io::IoSlice::new(&[]); FIRST_PARTS];
            let count = first_parts(bufs, most, &mut first);
            Pin::new(&mut self.stream).poll_write_vectored(cx, &first[..count])
        };
        self.written(cx, result, wanted)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        }
        if self.framing.is_over() || self.framing.is_in_body() {
            return self.poll_linger(cx);
        }
        Poll::Ready(Ok(()))
    }
}

/// Parts of an answer that are looked at where not all of it may be written: its head and the beginning of its body are two.
const FIRST_PARTS: usize = 4;

/// Puts the first parts of `bufs` into `first`, `most` bytes at most, and returns their number.
fn first_parts<'a>(bufs: &'a [io::IoSlice<'_>], most: usize, first: &mut [io::IoSlice<'a>; FIRST_PARTS]) -> usize {
    let mut left = most;
    let parts = bufs.iter().filter(|buf| !buf.is_empty()).map_while(|buf| {
        let part = (left > 0).then(|| io::IoSlice::new(&buf[..buf.len().min(left)]))?;
        left -= part.len();
        Some(part)
    });
    first.iter_mut().zip(parts).map(|(place, part)| *place = part).count()
}

/// The flow of bytes between a client and the server.
#[derive(Debug, Default)]
pub(super) struct Flow {
    bytes: AtomicU64,
    /// True if the server waits for the client: for the rest of a body, or until it takes an answer.
    waits: AtomicBool,
}

impl Flow {
    fn moves(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.waits.store(false, Ordering::Relaxed);
    }

    fn waits(&self) {
        self.waits.store(true, Ordering::Relaxed);
    }

    /// Returns when the server has waited for the client for five seconds, and nothing has moved.
    pub(super) async fn stuck(&self) {
        let mut before = None;
        loop {
            let now = self.bytes.load(Ordering::Relaxed);
            if self.waits.load(Ordering::Relaxed) && before == Some(now) {
                return;
            }
            before = Some(now);
            sleep(STUCK).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    const MIB: usize = 1024 * 1024;

    fn lag() -> ReaderLag {
        ReaderLag { longest: Duration::from_secs(30), behind: Duration::ZERO, wait: None }
    }

    #[test]
    fn a_reader_at_the_least_rate_is_never_behind_and_a_slower_one_is_more_and_more() {
        let (mut least, mut slow) = (lag(), lag());
        for second in 1..1_000 {
            least.takes(16 * 1024, 100 * MIB, Duration::from_secs(1));
            slow.takes(4 * 1024, 100 * MIB, Duration::from_secs(1));
            assert_eq!((least.behind, slow.behind), (Duration::ZERO, Duration::from_millis(750) * second));
        }
    }

    #[test]
    fn fast_reading_makes_up_for_a_pause_and_is_no_credit_for_another() {
        let mut lag = lag();
        lag.takes(MIB, 100 * MIB, Duration::from_secs(64 + 20));
        assert_eq!(lag.behind, Duration::from_secs(20));
        lag.takes(10 * MIB, 100 * MIB, Duration::ZERO);
        assert_eq!(lag.behind, Duration::ZERO);
        lag.takes(16 * 1024, 100 * MIB, Duration::from_secs(11));
        assert_eq!(lag.behind, Duration::from_secs(10));
        lag.takes(10, 10, Duration::ZERO);
        assert_eq!(lag.behind, Duration::ZERO, "the client has taken all that there is, and nothing waited");
    }

    /// Before, each part that was taken as a whole let the client wait for as long again.
    #[test]
    fn parts_of_a_streamed_answer_that_are_taken_late_put_a_reader_behind() {
        let mut lag = lag();
        for part in 1..=10 {
            lag.takes(64 * 1024, 64 * 1024, Duration::from_secs(29));
            assert_eq!(lag.behind, Duration::from_secs(25) * part);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_comes_sooner_the_more_a_reader_is_behind() {
        for behind in [0, 10, 29, 30, 100] {
            let (mut lag, begun) = (ReaderLag { behind: Duration::from_secs(behind), ..lag() }, Instant::now());
            poll_fn(|cx| lag.poll_end(cx)).await;
            assert_eq!(begun.elapsed().as_secs(), 30_u64.saturating_sub(behind));
        }
    }
}

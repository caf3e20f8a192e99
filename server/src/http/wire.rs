//! A client's socket: what is read passes the rules of framing first, what is written has to be taken in time, and the end
//! does not cut off the last answer.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::framing::Framing;

/// Bytes that are read at once.
const READ_BYTES: usize = 8 * 1024;
/// A reader has to take so many bytes in the time of [`Wire::new`]; fewer are no progress.
const LEAST_TAKEN: usize = 16 * 1024;
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
    timeout: Duration,
    /// Runs while the client takes too little of what is written.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Bytes that the client took while it ran.
    taken: usize,
    linger: Option<Linger>,
    flow: Arc<Flow>,
}

struct Linger {
    ends: Pin<Box<Sleep>>,
    bytes: usize,
}

impl Wire {
    /// A client that takes less than 16 KiB of an answer within `timeout` is given up.
    pub(super) fn new(stream: TcpStream, timeout: Duration, flow: Arc<Flow>) -> Self {
        Self {
            stream,
            framing: Framing::new(),
            checked: Vec::new(),
            read: 0,
            timeout,
            stalled: None,
            taken: 0,
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
                self.taken = self.taken.saturating_add(bytes);
                if bytes == wanted || self.taken >= LEAST_TAKEN {
                    (self.stalled, self.taken) = (None, 0);
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Pending => {
                self.flow.waits();
                let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(self.timeout)));
                ready!(stalled.as_mut().poll(cx));
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
        let result = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.written(cx, result, buf.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.written(cx, result, bufs.iter().map(|buf| buf.len()).sum())
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

//! Load: messages that are handed to the server over connections that stay open, and the times of each.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// The times of messages, which are known by their numbers.
pub(crate) struct Times {
    began: Instant,
    /// Nanoseconds from the beginning; 0 is never.
    accepted: Vec<AtomicU64>,
    received: Vec<AtomicU64>,
    arrivals: AtomicUsize,
    duplicates: AtomicUsize,
    arrival: Notify,
}

impl Times {
    pub(crate) fn new(messages: usize) -> Arc<Self> {
        let never = || (0..messages).map(|_| AtomicU64::new(0)).collect();
        Arc::new(Self {
            began: Instant::now(),
            accepted: never(),
            received: never(),
            arrivals: AtomicUsize::new(0),
            duplicates: AtomicUsize::new(0),
            arrival: Notify::new(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.accepted.len()
    }

    /// From the making of this.
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn accept(&self, message: usize) {
        if let Some(accepted) = self.accepted.get(message) {
            accepted.store(self.now(), Ordering::Relaxed);
        }
    }

    /// A message has arrived at an endpoint.
    pub(crate) fn receive(&self, message: usize) {
        let Some(received) = self.received.get(message) else { return };
        if received.compare_exchange(0, self.now(), Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.arrivals.fetch_add(1, Ordering::Relaxed);
            self.arrival.notify_waiters();
        } else {
            self.duplicates.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn arrivals(&self) -> usize {
        self.arrivals.load(Ordering::Relaxed)
    }

    pub(crate) fn duplicates(&self) -> usize {
        self.duplicates.load(Ordering::Relaxed)
    }

    pub(crate) fn accepted(&self) -> usize {
        self.accepted.iter().filter(|time| time.load(Ordering::Relaxed) > 0).count()
    }

    /// Messages that were accepted and have not arrived.
    pub(crate) fn missing(&self) -> usize {
        let times = self.accepted.iter().zip(&self.received);
        times.filter(|(a, r)| a.load(Ordering::Relaxed) > 0 && r.load(Ordering::Relaxed) == 0).count()
    }

    /// The time at which the last message arrived.
    pub(crate) fn last(&self) -> u64 {
        self.received.iter().map(|time| time.load(Ordering::Relaxed)).max().unwrap_or_default()
    }

    /// Waits until so many messages have arrived.
    pub(crate) async fn arrive(&self, messages: usize) -> Result<()> {
        self.wait(|| self.arrivals() >= messages).await
    }

    /// Waits until everything that was accepted has arrived.
    pub(crate) async fn settle(&self) -> Result<()> {
        self.wait(|| self.missing() == 0).await
    }

    /// Waits until `holds`; asked whenever a message arrives.
    pub(crate) async fn wait(&self, holds: impl Fn() -> bool) -> Result<()> {
        let waiting = async {
            while !holds() {
                // An arrival between looking and waiting is seen a moment later.
                let _ = tokio::time::timeout(Duration::from_millis(5), self.arrival.notified()).await;
            }
        };
        if tokio::time::timeout(Duration::from_secs(180), waiting).await.is_err() {
            bail!("{} of {} messages arrived, {} accepted are missing", self.arrivals(), self.len(), self.missing());
        }
        Ok(())
    }

    /// Milliseconds from accept to receipt of the messages that `choose` takes, in order of length. A message that
    /// arrived before the answer to its recording did took none.
    pub(crate) fn waits(&self, choose: impl Fn(usize) -> bool) -> Vec<f64> {
        let times = self.accepted.iter().zip(&self.received).enumerate();
        let mut waits: Vec<f64> = times
            .filter(|(message, _)| choose(*message))
            .map(|(_, (a, r))| (a.load(Ordering::Relaxed), r.load(Ordering::Relaxed)))
            .filter(|(accepted, received)| *accepted > 0 && *received > 0)
            .map(|(accepted, received)| Duration::from_nanos(received.saturating_sub(accepted)).as_secs_f64() * 1e3)
            .collect();
        waits.sort_by(f64::total_cmp);
        waits
    }
}

/// The way in which messages are submitted.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    /// At a time.
    pub(crate) connections: usize,
    /// Between the beginnings of two; without it each follows on the answer to the one before it.
    pub(crate) pace: Option<Duration>,
    /// Message n is of project n modulo this.
    pub(crate) projects: usize,
}

impl Load {
    /// So many at a time, of one project.
    pub(crate) fn closed(connections: usize) -> Self {
        Self { connections, pace: None, projects: 1 }
    }

    /// Hands every message over. The first connection that breaks ends it.
    pub(crate) async fn run(self, record: SocketAddr, times: &Arc<Times>) -> Result<()> {
        let next = Arc::new(AtomicUsize::new(0));
        let began = tokio::time::Instant::now();
        let mut tasks = JoinSet::new();
        for _ in 0..self.connections {
            let (next, times) = (Arc::clone(&next), Arc::clone(times));
            tasks.spawn(async move {
                let mut stream = TcpStream::connect(record).await?;
                stream.set_nodelay(true)?;
                loop {
                    let message = next.fetch_add(1, Ordering::Relaxed);
                    if message >= times.len() {
                        return io::Result::Ok(());
                    }
                    if let Some(pace) = self.pace {
                        tokio::time::sleep_until(began + pace * u32::try_from(message).unwrap_or(u32::MAX)).await;
                    }
                    hand_over(&mut stream, message % self.projects, message).await?;
                    times.accept(message);
                }
            });
        }
        while let Some(outcome) = tasks.join_next().await {
            outcome??;
        }
        Ok(())
    }
}

/// Returns when the message was accepted.
async fn hand_over(stream: &mut TcpStream, project: usize, message: usize) -> io::Result<()> {
    let request = format!(
        "POST /{project} HTTP/1.1\r\nhost: bench\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\n{message:09}"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = [0; 512];
    let mut length = 0;
    // 204 has no body.
    while !answer[..length].ends_with(b"\r\n\r\n") {
        let read = stream.read(&mut answer[length..]).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        length += read;
    }
    if !answer.starts_with(b"HTTP/1.1 204") {
        return Err(io::Error::other(String::from_utf8_lossy(&answer[..length]).into_owned()));
    }
    Ok(())
}

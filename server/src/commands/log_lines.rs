//! The writer of log lines to standard error.
//!
//! A busy server answers thousands of requests a second, and each has a line in the access log. These lines wait for each
//! other for a tenth of a second and are written together. All others are written at once, after those that wait.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tracing::Metadata;
use tracing_subscriber::fmt::MakeWriter;

use crate::http::ACCESS_LOG;

/// Time that a line waits for others.
const WAIT: Duration = Duration::from_millis(100);
/// Bytes that wait at most.
const MOST: usize = 64 * 1024;

/// Makes writers of lines. Clones write into the same log.
pub(super) struct LogLines<W> {
    log: Arc<Log<W>>,
}

struct Log<W> {
    lines: Mutex<Lines<W>>,
    /// A line waits, or there will be no more.
    news: Condvar,
}

struct Lines<W> {
    waiting: Vec<u8>,
    to: W,
    has_ended: bool,
}

/// Writes the lines that wait when it is dropped; from then on none waits.
#[must_use = "the last lines are written when it is dropped"]
pub(crate) struct LogEnd(Box<dyn Fn() + Send>);

impl Drop for LogEnd {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl<W: Write + Send + 'static> LogLines<W> {
    /// Begins a log. Its end has to be kept for as long as lines may wait.
    pub(super) fn begin(to: W) -> (Self, LogEnd) {
        let lines = Lines { waiting: Vec::new(), to, has_ended: false };
        let log = Arc::new(Log { lines: Mutex::new(lines), news: Condvar::new() });
        let task = Arc::clone(&log);
        if thread::Builder::new().name("log".to_owned()).spawn(move || task.write_what_waits()).is_err() {
            // Without the thread nobody would write a line that waits.
            log.lock().has_ended = true;
        }
        let end = Arc::clone(&log);
        (Self { log }, LogEnd(Box::new(move || end.end())))
    }
}

impl<W: Write> Log<W> {
    fn lock(&self) -> MutexGuard<'_, Lines<W>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes lines some time after the first of them has come, until the end.
    fn write_what_waits(&self) {
        loop {
            let is_idle = |lines: &mut Lines<W>| lines.waiting.is_empty() && !lines.has_ended;
            let lines = self.news.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
            if lines.has_ended {
                return;
            }
            drop(lines);
            thread::sleep(WAIT);
            self.lock().write();
        }
    }

    fn end(&self) {
        let mut lines = self.lock();
        lines.has_ended = true;
        lines.write();
        self.news.notify_all();
    }
}

impl<W: Write> Lines<W> {
    /// Nobody can be told where the log cannot be written.
    fn write(&mut self) {
        let _ = self.to.write_all(&self.waiting).and_then(|()| self.to.flush());
        self.waiting.clear();
        self.waiting.shrink_to(2 * MOST);
    }
}

impl<'a, W: Write + 'static> MakeWriter<'a> for LogLines<W> {
    type Writer = LogLine<'a, W>;

    fn make_writer(&'a self) -> LogLine<'a, W> {
        LogLine { log: &self.log, waits: false }
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> LogLine<'a, W> {
        LogLine { log: &self.log, waits: metadata.target() == ACCESS_LOG }
    }
}

/// Writes one line, which comes in one piece.
pub(super) struct LogLine<'a, W> {
    log: &'a Log<W>,
    waits: bool,
}

impl<W: Write> Write for LogLine<'_, W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut lines = self.log.lock();
        let is_first = lines.waiting.is_empty();
        lines.waiting.extend_from_slice(line);
        if !self.waits || lines.has_ended || lines.waiting.len() > MOST {
            lines.write();
        } else if is_first {
            self.log.news.notify_all();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    /// Hands over each piece that is written.
    struct Pieces(Sender<String>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(String::from_utf8_lossy(bytes).into_owned()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(run: impl FnOnce(LogEnd, &Receiver<String>)) {
        let (sender, pieces) = channel();
        let (lines, end) = LogLines::begin(Pieces(sender));
        let layer =
            tracing_subscriber::fmt::layer().without_time().with_ansi(false).with_target(false).with_writer(lines);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || run(end, &pieces));
    }

    fn request(number: usize) {
        tracing::info!(target: ACCESS_LOG, number, "request");
    }

    #[test]
    fn a_request_is_written_soon() {
        logged(|_end, pieces| {
            request(1);
            assert_eq!(pieces.recv().unwrap(), " INFO request number=1\n");
            request(2);
            assert_eq!(pieces.recv().unwrap(), " INFO request number=2\n");
        });
    }

    #[test]
    fn another_line_is_written_at_once_and_after_those_that_wait() {
        logged(|_end, pieces| {
            let all: String = (0..100)
                .map(|number| {
                    request(number);
                    format!(" INFO request number={number}\n")
                })
                .collect();
            tracing::info!("serving");
            let written: String = pieces.try_iter().collect();
            assert_eq!(written, format!("{all} INFO serving\n"));
        });
    }

    #[test]
    fn the_end_writes_what_waits_and_then_nothing_waits() {
        logged(|end, pieces| {
            request(1);
            drop(end);
            request(2);
            let written: String = pieces.try_iter().collect();
            assert_eq!(written, " INFO request number=1\n INFO request number=2\n");
        });
    }

    #[test]
    fn what_waits_is_bounded() {
        logged(|_end, pieces| {
            let mut written = 0;
            for number in 0..100_000 {
                request(number);
                written += pieces
                    .try_iter()
                    .map(|piece| piece.len())
                    .inspect(|piece| assert!(*piece < 2 * MOST))
                    .sum::<usize>();
            }
            assert!(written > MOST, "{written}");
        });
    }
}

//! A pipe of Apertium's programs that stays open: it translates a text in a millisecond, and takes 0.2 s to start.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc;

use tokio::sync::mpsc as answers;
use tokio::time::{Instant, timeout_at};

use super::super::process::{self, ProcessGroup};

/// Programs that are running, each one's output the input of the next. All of them end when this is dropped.
#[derive(Debug)]
pub(super) struct Pipe {
    /// To the thread that writes.
    texts: mpsc::Sender<Vec<u8>>,
    /// From the thread that reads.
    answers: answers::UnboundedReceiver<Vec<u8>>,
    _programs: Vec<ProcessGroup>,
}

impl Pipe {
    /// Starts the programs, without environment variables that have keys.
    pub(super) fn start(programs: &[Vec<String>], key_variables: &[String]) -> io::Result<Self> {
        let mut running: Vec<ProcessGroup> = Vec::with_capacity(programs.len());
        let mut first: Option<ChildStdin> = None;
        let mut last: Option<ChildStdout> = None;
        for program in programs {
            let [name, arguments @ ..] = &program[..] else { continue };
            let input = last.take().map_or_else(Stdio::piped, Stdio::from);
            let mut command = process::command(name, key_variables);
            command.args(arguments).stdin(input).stdout(Stdio::piped());
            let mut process = ProcessGroup::start(&mut command)
                .map_err(|error| io::Error::new(error.kind(), format!("cannot start {name}: {error}")))?;
            first = first.or(process.child.stdin.take());
            last = process.child.stdout.take();
            running.push(process);
        }
        let (Some(mut input), Some(output)) = (first, last) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the pipe has no programs"));
        };
        let (texts, to_write) = mpsc::channel::<Vec<u8>>();
        let (answered, answers) = answers::unbounded_channel();
        // Both threads end when the programs do.
        std::thread::spawn(move || {
            while let Ok(text) = to_write.recv() {
                if input.write_all(&text).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut answer = Vec::new();
                if !matches!(output.read_until(0, &mut answer), Ok(length) if length > 0) || answer.pop() != Some(0) {
                    return;
                }
                if answered.send(answer).is_err() {
                    return;
                }
            }
        });
        Ok(Self { texts, answers, _programs: running })
    }

    /// Sends texts, each with the NUL at its end. Their answers follow in the same order.
    pub(super) fn send(&self, texts: Vec<u8>) {
        // Where the thread is gone, so are the answers.
        let _ = self.texts.send(texts);
    }

    /// The next answer; `None` if the pipe has ended or does not answer by then.
    pub(super) async fn next(&mut self, deadline: Instant) -> Option<Vec<u8>> {
        timeout_at(deadline, self.answers.recv()).await.ok().flatten()
    }
}

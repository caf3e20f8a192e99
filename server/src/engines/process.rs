//! Processes that engines start: none outlives its engine, and none holds up its caller.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

/// The longest pause between two looks at whether a process has ended.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// A command without secrets in its environment: neither the server's settings nor the keys of engines.
pub(super) fn command(program: &str, key_variables: &[String]) -> Command {
    let mut command = Command::new(program);
    let settings = std::env::vars_os().map(|(name, _)| name);
    for name in settings.filter(|name| name.to_string_lossy().starts_with("L10N_SERVER_")) {
        command.env_remove(name);
    }
    for name in key_variables {
        command.env_remove(name);
    }
    command
}

/// A process with those that it has started. All of them are killed when it is dropped.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) child: Child,
}

impl ProcessGroup {
    /// Starts a [`command`].
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Self { child: command.spawn()? })
    }

    /// Waits until it has ended; `None` if it has not by then.
    async fn ended(&mut self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // Those that it has started are killed even where it has ended itself. An empty group is an error: nothing is left.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The reason why a process gave no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProcessError {
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    #[error("its answer cannot be read: {0}")]
    Read(io::Error),
    #[error("it has not answered within {} seconds", .0.as_secs_f32())]
    Slow(Duration),
    #[error("its answer is longer than {0} bytes")]
    Long(u64),
    #[error("it ended with {0}")]
    Failed(ExitStatus),
}

/// Starts a program, gives it `input`, and reads its answer until it ends, within `timeout`.
pub(super) async fn answer(
    command: &mut Command,
    input: Vec<u8>,
    most_bytes: u64,
    timeout: Duration,
) -> Result<Vec<u8>, ProcessError> {
    let deadline = Instant::now() + timeout;
    let mut process =
        ProcessGroup::start(command.stdin(Stdio::piped()).stdout(Stdio::piped())).map_err(ProcessError::Start)?;
    let (stdin, stdout) = (process.child.stdin.take(), process.child.stdout.take());
    // Both threads end with the process's pipes at the latest.
    std::thread::spawn(move || {
        // A program that does not want all of its input closes it; its answer is what counts.
        let _ = stdin.map(|mut stdin| stdin.write_all(&input));
    });
    let (answered, answer) = oneshot::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.map_or(Ok(0), |stdout| stdout.take(most_bytes + 1).read_to_end(&mut bytes));
        let _ = answered.send(read.map(|_| bytes));
    });
    let bytes = match tokio::time::timeout_at(deadline, answer).await {
        Err(_) | Ok(Err(_)) => return Err(ProcessError::Slow(timeout)),
        Ok(Ok(read)) => read.map_err(ProcessError::Read)?,
    };
    if bytes.len() as u64 > most_bytes {
        return Err(ProcessError::Long(most_bytes));
    }
    match process.ended(deadline).await.map_err(ProcessError::Read)? {
        None => Err(ProcessError::Slow(timeout)),
        Some(status) if !status.success() => Err(ProcessError::Failed(status)),
        Some(_) => Ok(bytes),
    }
}

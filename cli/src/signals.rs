//! The signals that end the program: Ctrl-C, a request to terminate, a closed terminal.

use std::io;
use std::time::Duration;

use tokio::runtime::Builder;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::exit::ExitStatus;

/// Time of a command to clear away what it has begun.
const CLEARING: Duration = Duration::from_secs(2);

/// Reports the first signal. They are heard in a thread of their own, since a command may stand still, as while no one reads
/// from the pipe that it writes to: if it has not ended soon after the first signal, or at the second, the thread ends the
/// program.
pub(crate) fn first_signal() -> io::Result<oneshot::Receiver<()>> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let heard = {
        let _entered = runtime.enter();
        Signals::new()
    };
    let mut signals = match heard {
        Ok(signals) => signals,
        Err(error) => {
            runtime.shutdown_background();
            return Err(error);
        }
    };
    let (came, comes) = oneshot::channel();
    std::thread::spawn(move || {
        runtime.block_on(async {
            signals.next().await;
            let _ = came.send(());
            let _ = timeout(CLEARING, signals.next()).await;
        });
        std::process::exit(ExitStatus::Interrupted.code().into());
    });
    Ok(comes)
}

/// The signals. Once it is made, they no longer end the program by themselves. That of a closed terminal stays ignored where the
/// program was told to ignore it, as `nohup` does, and the system says so.
#[derive(Debug)]
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    hangup: Option<Signal>,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hangup => {}
        }
    }

    /// Waits for the next signal.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Returns true if the program was told to ignore that its terminal is closed; false where the system does not say so.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The first signal is the lowest bit.
    ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).is_some_and(|set| set & 1 == 1)
}

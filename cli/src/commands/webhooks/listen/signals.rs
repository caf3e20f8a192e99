//! The signals that end a listener: Ctrl-C, a request to terminate, a closed terminal.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals. Once it is made, they no longer end the program by themselves.
#[derive(Debug)]
pub(crate) struct Signals {
    #[cfg(unix)]
    kinds: [Signal; 3],
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            kinds: [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?],
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.kinds;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }

    /// Waits for the next signal.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

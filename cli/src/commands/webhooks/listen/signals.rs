//! What ends a listener: Ctrl-C, a request to terminate, a terminal that is closed.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ends that may come. From its making on they no longer end the program by themselves.
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

    /// The next of them.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.kinds;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }

    /// The next of them.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

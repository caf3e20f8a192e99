//! The signals that stop the server: Ctrl-C, and the signal of service managers or its counterpart on Windows.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

/// From its making on these signals no longer end the program by themselves.
#[derive(Debug)]
pub(super) struct StopSignals {
    #[cfg(unix)]
    kinds: [Signal; 2],
    #[cfg(windows)]
    kinds: (CtrlC, CtrlBreak, CtrlClose, CtrlShutdown),
}

impl StopSignals {
    /// Listens.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses.
    pub(super) fn new() -> io::Result<Self> {
        #[cfg(unix)]
        let new = Self { kinds: [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?] };
        #[cfg(windows)]
        let new = Self { kinds: (ctrl_c()?, ctrl_break()?, ctrl_close()?, ctrl_shutdown()?) };
        Ok(new)
    }

    /// Waits for the next of them.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) {
        let [interrupt, terminate] = &mut self.kinds;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }

    /// Waits for the next of them.
    #[cfg(windows)]
    pub(super) async fn next(&mut self) {
        let (ctrl_c, ctrl_break, close, shutdown) = &mut self.kinds;
        tokio::select! {
            _ = ctrl_c.recv() => {}
            _ = ctrl_break.recv() => {}
            _ = close.recv() => {}
            _ = shutdown.recv() => {}
        }
    }
}

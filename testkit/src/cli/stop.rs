//! Requests to stop.

/// Requests to stop, none of which is lost between two calls: Ctrl-C and SIGTERM.
#[cfg(unix)]
pub(super) struct StopRequests {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl StopRequests {
    pub(super) fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        Self { interrupt: signal(SignalKind::interrupt()).ok(), terminate: signal(SignalKind::terminate()).ok() }
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        let of = async |signal: &mut Option<tokio::signal::unix::Signal>| match signal {
            Some(signal) => signal.recv().await,
            None => std::future::pending().await,
        };
        tokio::select! {
            _ = of(&mut self.interrupt) => {}
            _ = of(&mut self.terminate) => {}
        }
    }
}

/// Requests to stop: Ctrl-C.
#[cfg(not(unix))]
pub(super) struct StopRequests;

#[cfg(not(unix))]
impl StopRequests {
    pub(super) fn new() -> Self {
        Self
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

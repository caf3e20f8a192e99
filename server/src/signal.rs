//! Signals between parts of this process: a hint that a transaction has committed something that others wait for.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

use crate::store::Tx;

/// A hint to those of this process who wait for something. It is given by a commit alone, so that who is woken finds what
/// it waits for. Progress never depends on it: another process gives none.
#[derive(Debug, Clone, Default)]
pub struct Signal(Arc<Notify>);

impl Signal {
    /// Wakes one of those who wait, or the next one that comes, when `tx` commits.
    pub(crate) fn wake_one_after(&self, tx: &mut Tx) {
        let waiting = Arc::clone(&self.0);
        tx.after_commit(move || waiting.notify_one());
    }

    /// Wakes everyone who waits when `tx` commits.
    pub(crate) fn wake_all_after(&self, tx: &mut Tx) {
        let waiting = Arc::clone(&self.0);
        tx.after_commit(move || waiting.notify_waiters());
    }

    /// Waits for the signal.
    pub(crate) fn notified(&self) -> Notified<'_> {
        self.0.notified()
    }
}

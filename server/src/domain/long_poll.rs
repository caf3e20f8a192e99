//! Long polls: an answer that is held back until what the caller waits for has happened.

use std::pin::Pin;
use std::time::{Duration, Instant};

use l10n_api_types::LONGEST_WAIT_SECONDS;
use tokio::sync::futures::Notified;
use tokio_util::sync::CancellationToken;

use super::ServiceError;
use crate::signal::Signal;
use crate::store::Store;

/// Interval at which a long poll looks again without a hint: changes by another process give none.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The time that a caller is ready to wait.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] over 25 seconds.
pub(crate) fn wait_time(seconds: Option<u32>) -> Result<Duration, ServiceError> {
    match seconds.unwrap_or_default() {
        seconds @ 0..=LONGEST_WAIT_SECONDS => Ok(Duration::from_secs(seconds.into())),
        other => Err(ServiceError::InvalidArgument(format!(
            "`waitSeconds` must be 0 to {LONGEST_WAIT_SECONDS}, not {other}"
        ))),
    }
}

/// The parts of the server that a long poll uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PollParts<'a> {
    /// The datastore, in which it looks again and again, each time in a transaction of its own.
    pub store: &'a Store,
    /// The hint that what it waits for may have happened.
    pub hint: &'a Signal,
    /// Cancelled when the server is told to end.
    pub draining: &'a CancellationToken,
}

/// The remaining time of a caller's wait.
#[derive(Debug, Clone)]
pub(super) struct PollDeadline {
    ends: Instant,
    draining: CancellationToken,
}

impl PollDeadline {
    /// It begins now, and ends early when the server is told to end.
    pub(super) fn new(draining: &CancellationToken, longest: Duration) -> Self {
        Self { ends: Instant::now() + longest, draining: draining.clone() }
    }

    /// Returns whether the caller waits no longer, or the server is told to end.
    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.ends || self.draining.is_cancelled()
    }

    /// Waits for a hint, for half a second, or for the end of the wait. Enable `hint` before looking, so that what happens
    /// in between is not missed.
    pub(super) async fn look_again(&self, hint: Pin<&mut Notified<'_>>) {
        let left = self.ends.saturating_duration_since(Instant::now());
        // It looks again whether or not it was woken.
        tokio::select! {
            _ = tokio::time::timeout(left.min(LOOK_AGAIN), hint) => {}
            () = self.draining.cancelled() => {}
        }
    }
}

//! Long polls: an answer that is held back until what the caller waits for has happened.

use std::pin::Pin;
use std::time::{Duration, Instant};

use tokio::sync::futures::Notified;
use tokio_util::sync::CancellationToken;

use super::ServiceError;
use crate::service::Service;

/// Interval at which a long poll looks again without a hint: changes by another process give none.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// Longest wait, in seconds.
const LONGEST_WAIT: u32 = 25;

/// The time that a caller is ready to wait.
///
/// # Errors
///
/// [`ServiceError::InvalidArgument`] over 25 seconds.
pub(crate) fn wait_time(seconds: Option<u32>) -> Result<Duration, ServiceError> {
    match seconds.unwrap_or_default() {
        seconds @ 0..=LONGEST_WAIT => Ok(Duration::from_secs(seconds.into())),
        other => Err(ServiceError::InvalidArgument(format!("`waitSeconds` is 0 to {LONGEST_WAIT}, not {other}"))),
    }
}

/// The remaining time of a caller's wait.
#[derive(Debug, Clone)]
pub(super) struct PollDeadline {
    ends: Instant,
    draining: CancellationToken,
}

impl PollDeadline {
    /// It begins now, and ends early when the server is told to end.
    pub(super) fn new(service: &Service, longest: Duration) -> Self {
        Self { ends: Instant::now() + longest, draining: service.draining.clone() }
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

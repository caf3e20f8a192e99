//! Waiting by the deployment's clock.

use std::time::Duration;

use super::context::Cx;
use crate::outcome::Stop;

/// A moment in which a machine at work does not come to us.
const NOISE: Duration = Duration::from_millis(100);

impl Cx {
    /// Lets this much time pass by the deployment's clock: by moving the clock, if the profile has a hook for that (by
    /// whole seconds, rounded up), else by waiting. While it waits, other checks work in the project; their actions
    /// (publishes above all) must not affect this check's result.
    ///
    /// # Errors
    ///
    /// Returns an error if the clock does not answer, or the wait is longer than the run allows.
    pub async fn pass(&self, time: Duration) -> Result<(), Stop> {
        let session = self.session();
        if session.clock.can_be_moved() {
            return session.advance(time).await;
        }
        let real = session.clock.real(time)?;
        self.lane_hold().parked(tokio::time::sleep(real)).await;
        Ok(())
    }

    /// Returns true if [`pass`](Self::pass) moves the clock instead of waiting: then times are exact to the duration of
    /// an exchange.
    #[must_use]
    pub fn moves_time(&self) -> bool {
        self.session().clock.can_be_moved()
    }

    /// As [`pass`](Self::pass), until the deployment's clock shows `time` (milliseconds since 1970), or almost a second
    /// less: clocks are moved by whole seconds.
    ///
    /// # Errors
    ///
    /// As [`pass`](Self::pass).
    pub async fn pass_until(&self, time: i64) -> Result<(), Stop> {
        match u64::try_from((time - self.now()).div_euclid(1_000)) {
            Ok(seconds) if seconds > 0 => self.pass(Duration::from_secs(seconds)).await,
            _ => Ok(()),
        }
    }

    /// The time of `then` by the deployment's clock, in milliseconds since 1970, if the clock was not moved since.
    #[must_use]
    pub fn time_of(&self, then: std::time::Instant) -> i64 {
        let since = then.elapsed() * self.profile().time.scale.unwrap_or(1);
        self.now() - i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    /// Converts a duration of the deployment's clock to ours, which times the suite's own endpoints.
    #[must_use]
    pub fn real(&self, time: Duration) -> Duration {
        self.session().clock.real_time_of(time)
    }

    /// The noise of a busy machine by the deployment's clock, in milliseconds, if that clock is faster than ours.
    #[must_use]
    pub fn noise(&self) -> i64 {
        let moments = self.profile().time.scale.unwrap_or(1).saturating_sub(1);
        i64::try_from((NOISE * moments).as_millis()).unwrap_or(i64::MAX)
    }

    /// Waits without looking at anything, by our own clock: for the few statements that are about time itself.
    pub async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

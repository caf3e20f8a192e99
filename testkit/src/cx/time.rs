//! Waiting by the deployment's clock.

use std::time::Duration;

use super::Cx;
use crate::outcome::Stop;

impl Cx {
    /// Lets so much time pass by the deployment's clock: by moving it, where the profile has a hook for that, else by
    /// waiting. While it waits, other checks work in the project: what they do there (publishes above all) must not
    /// change what this check looks at.
    ///
    /// # Errors
    ///
    /// Where the clock does not answer, or the wait is longer than the run allows.
    pub async fn pass(&self, time: Duration) -> Result<(), Stop> {
        let shared = self.shared();
        if shared.clock.can_be_moved() {
            return shared.clock.advance(&shared.http, time).await;
        }
        let real = shared.clock.real(time)?;
        self.lane_hold().parked(tokio::time::sleep(real)).await;
        Ok(())
    }

    /// Whether [`pass`](Self::pass) moves the clock in place of waiting: then times are exact to what an exchange takes.
    #[must_use]
    pub fn moves_time(&self) -> bool {
        self.shared().clock.can_be_moved()
    }

    /// Waits without looking at anything, by our own clock: for the few statements that are about time itself.
    pub async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

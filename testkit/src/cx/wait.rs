//! Waiting for what a server does in its own time.

use std::future::Future;
use std::time::Duration;

use super::context::Cx;
use crate::outcome::{NotRun, Stop};

/// The least that a check waits for something: both the time and the number of tries.
pub(super) struct Wait {
    pub(super) time: Duration,
    pub(super) tries: u32,
}

impl Cx {
    /// Asks again until the answer is as it should be, in growing pauses.
    ///
    /// # Errors
    ///
    /// A failed prerequisite, where it does not come about within the run's patience: where it is itself what the check is
    /// about, turn that into a deviation.
    pub async fn eventually<T, F, A>(&self, what: &str, ask: A, holds: impl Fn(&T) -> bool) -> Result<T, Stop>
    where
        A: FnMut() -> F,
        F: Future<Output = Result<T, Stop>>,
    {
        self.eventually_within(Wait { time: self.session().limits.patience, tries: 1 }, what, ask, holds).await
    }

    /// As [`eventually`](Self::eventually), but asks at least `tries` times, however long that takes: for what comes about by
    /// chance, so that a slow server gets as many chances as a quick one.
    ///
    /// # Errors
    ///
    /// As [`eventually`](Self::eventually).
    pub async fn eventually_in<T, F, A>(
        &self,
        tries: u32,
        what: &str,
        ask: A,
        holds: impl Fn(&T) -> bool,
    ) -> Result<T, Stop>
    where
        A: FnMut() -> F,
        F: Future<Output = Result<T, Stop>>,
    {
        self.eventually_within(Wait { time: self.session().limits.patience, tries }, what, ask, holds).await
    }

    pub(super) async fn eventually_within<T, F, A>(
        &self,
        wait: Wait,
        what: &str,
        mut ask: A,
        holds: impl Fn(&T) -> bool,
    ) -> Result<T, Stop>
    where
        A: FnMut() -> F,
        F: Future<Output = Result<T, Stop>>,
    {
        let end = tokio::time::Instant::now() + wait.time;
        let mut pause = Duration::from_millis(100);
        let mut tries = 0;
        loop {
            let seen = ask().await?;
            if holds(&seen) {
                return Ok(seen);
            }
            tries += 1;
            if tries >= wait.tries && tokio::time::Instant::now() >= end {
                return Err(Stop::NotRun(NotRun::PrerequisiteFailed(format!("{what} did not happen in time"))));
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 3 / 2).min(Duration::from_secs(2));
        }
    }
}

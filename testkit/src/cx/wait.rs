//! Waiting for what a server does in its own time.

use std::future::Future;
use std::time::Duration;

use super::context::Cx;
use crate::outcome::{NotRun, Stop};

/// Tries that every wait has.
pub(super) const LEAST_TRIES: u32 = 5;

/// The least that a check waits for something: both the time and the number of tries.
pub(super) struct Wait {
    pub(super) time: Duration,
    pub(super) tries: u32,
}

impl Cx {
    /// Asks again until the answer is as it should be, in growing pauses, and a few times however long that takes: a request may
    /// wait for the budget of its project, and then tells of one moment alone.
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
        self.eventually_in(LEAST_TRIES, what, ask, holds).await
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
        ask: A,
        holds: impl Fn(&T) -> bool,
    ) -> Result<T, Stop>
    where
        A: FnMut() -> F,
        F: Future<Output = Result<T, Stop>>,
    {
        let late = || Stop::NotRun(NotRun::PrerequisiteFailed(format!("{what} did not happen in time")));
        wait.ask(ask, holds).await?.ok_or_else(late)
    }
}

impl Wait {
    /// Asks again until the answer is as it should be; `None` where it is not.
    async fn ask<T, F, A>(self, mut ask: A, holds: impl Fn(&T) -> bool) -> Result<Option<T>, Stop>
    where
        A: FnMut() -> F,
        F: Future<Output = Result<T, Stop>>,
    {
        let end = tokio::time::Instant::now() + self.time;
        let mut pause = Duration::from_millis(100);
        let mut tries = 0;
        loop {
            let seen = ask().await?;
            if holds(&seen) {
                return Ok(Some(seen));
            }
            tries += 1;
            if tries >= self.tries && tokio::time::Instant::now() >= end {
                return Ok(None);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 3 / 2).min(Duration::from_secs(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer of the `number`th try, when each takes this long.
    async fn answer_of(number: u32, each: Duration) -> Option<u32> {
        let mut asked = 0;
        let ask = || {
            asked += 1;
            let answer = asked;
            async move {
                tokio::time::sleep(each).await;
                Ok(answer)
            }
        };
        let wait = Wait { time: Duration::from_secs(30), tries: LEAST_TRIES };
        wait.ask(ask, |answer| *answer == number).await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_takes_long_is_not_the_last_that_is_asked_for() {
        assert_eq!(answer_of(2, Duration::from_secs(31)).await, Some(2));
        assert_eq!(answer_of(LEAST_TRIES + 1, Duration::from_secs(31)).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn quick_answers_are_asked_for_until_time_is_over() {
        assert_eq!(answer_of(15, Duration::ZERO).await, Some(15));
        assert_eq!(answer_of(100, Duration::ZERO).await, None);
    }
}

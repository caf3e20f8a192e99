//! Waiting: for a translation job, for a person's decision, for a request to end.

use std::future::Future;
use std::time::Duration;

use l10n_api_types::translations::{Job, Progress};
use l10n_api_types::{LONGEST_WAIT_SECONDS, TrackingToken};
use tokio::time::Instant;

use crate::error::{Error, Result, WaitTimeout};
use crate::project::Project;
use crate::retry::is_canceled_within;
use crate::translations::Translations;

/// Lower bound of the pause between polls, even if the server suggests less.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// Upper bound of the pause between polls, even if the server suggests more.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Pause after a temporary failure that names none.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Default interval of progress reports for a job, in seconds.
const PROGRESS: u32 = 2;

/// Options of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitOptions {
    pub(crate) timeout: Duration,
    poll_seconds: Option<u32>,
    failure_tolerance: Duration,
}

/// Waits up to 30 minutes and tolerates a server that is down for up to a minute.
impl Default for WaitOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(1_800), poll_seconds: None, failure_tolerance: Duration::from_secs(60) }
    }
}

impl WaitOptions {
    /// Sets the time limit of the wait. 30 minutes by default. The awaited work goes on after it.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how long the server may delay each answer, 0 to 25 seconds. The end is reported at once in any case. The
    /// default for a job is 2, which is the interval of progress reports; for an operation it is 25. Each poll counts
    /// against the request budget.
    #[must_use]
    pub fn poll_seconds(mut self, seconds: u32) -> Self {
        self.poll_seconds = Some(seconds.min(LONGEST_WAIT_SECONDS));
        self
    }

    /// Sets how long temporary failures in a row (such as a server restart) are tolerated. A minute by default. The wait
    /// fails at once when the server asks for a pause that would exceed it. The retries of each poll come first, with the
    /// limits of the client; a client without retries does not wait for a 429 here, either.
    #[must_use]
    pub fn failure_tolerance(mut self, failure_tolerance: Duration) -> Self {
        self.failure_tolerance = failure_tolerance;
        self
    }

    /// Uses the server's longest delay by default.
    pub(crate) fn at_longest(mut self) -> Self {
        self.poll_seconds = self.poll_seconds.or(Some(LONGEST_WAIT_SECONDS));
        self
    }

    /// Asks the server not to delay its answers.
    pub(crate) fn without_hold(mut self) -> Self {
        self.poll_seconds = Some(0);
        self
    }

    /// Polls until `look` accepts an answer as the last one. `ask` gets the seconds by which the answer may be delayed;
    /// `look` returns the pause before the next poll otherwise.
    ///
    /// `Err` within `Ok` is the last answer when the time limit was reached. When the calls of `project` are canceled, a
    /// pause ends and the next poll fails.
    pub(crate) async fn poll<T, F>(
        &self,
        project: &Project,
        mut ask: impl FnMut(u32) -> F,
        mut look: impl FnMut(&T) -> Option<Duration>,
    ) -> Result<Result<T, Option<T>>>
    where
        F: Future<Output = Result<T>>,
    {
        let begun = Instant::now();
        let mut answered = begun;
        let mut last = None;
        loop {
            let left = self.timeout.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(Err(last));
            }
            let asked = Instant::now();
            let wanted = self.poll_seconds.unwrap_or(PROGRESS);
            let hold = u32::try_from(left.as_secs()).unwrap_or(u32::MAX).min(wanted);
            // The wait ends in time even if the poll does not.
            let pause = match tokio::time::timeout(left, ask(hold)).await {
                Err(_) => continue,
                Ok(Ok(answer)) => {
                    answered = Instant::now();
                    let Some(wanted) = look(&answer) else { return Ok(Ok(answer)) };
                    last = Some(answer);
                    // A server that delayed its answer has already made the pause.
                    let held = hold > 0 && asked.elapsed() >= Duration::from_secs(u64::from(hold));
                    let wanted = wanted.clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
                    if held { Duration::ZERO } else { wanted.saturating_sub(asked.elapsed()) }
                }
                Ok(Err(error)) => {
                    let pause = error.retry_after().unwrap_or(AFTER_FAILURE);
                    let is_tolerated = answered.elapsed().saturating_add(pause) < self.failure_tolerance;
                    if !is_tolerated || !project.may_ask_again_after(&error) {
                        return Err(error);
                    }
                    tracing::debug!(%error, ?pause, "asking again");
                    pause
                }
            };
            let pause = pause.min(self.timeout.saturating_sub(begun.elapsed()));
            is_canceled_within(project.options.canceled.as_ref(), pause).await;
        }
    }
}

impl Project {
    /// Returns true if a wait goes on after this failure of a poll. A client without retries waits out no 429.
    pub(crate) fn may_ask_again_after(&self, error: &Error) -> bool {
        error.is_retryable() && (error.status() != Some(429) || self.client.inner.policy.max_retries > 0)
    }
}

impl Translations {
    /// Waits until a job has ended, with [`WaitOptions::default`]. `progress` is called after every poll.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// # let body = l10n_client::sync_body(l10n_client::file_upload("en.json", b"{}")?);
    /// let run = project.translations().sync(&body).await?;
    /// if let Some(token) = run.tracking_token {
    ///     let job = project.translations().wait(&token, |at| eprintln!("{}/{}", at.done, at.total)).await?;
    ///     println!("{}: {} failed", job.status, job.progress.failed);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`wait_for_translation`](Self::wait_for_translation).
    pub async fn wait(&self, token: &TrackingToken, progress: impl FnMut(&Progress)) -> Result<Job> {
        self.wait_for_translation(token, &WaitOptions::default(), progress).await
    }

    /// Waits until a job has ended, by long polls, and returns its final state. `progress` is called after every poll.
    ///
    /// A job that ended `partial`, `failed` or `canceled` is **no error** here, because the wait succeeded. Its
    /// `status` and `failures` give the details. Failed translations were not charged.
    ///
    /// # Errors
    ///
    /// [`Error::WaitTimeout`] if it has not ended in time (it goes on), and the errors of [`job`](Self::job).
    pub async fn wait_for_translation(
        &self,
        token: &TrackingToken,
        options: &WaitOptions,
        mut progress: impl FnMut(&Progress),
    ) -> Result<Job> {
        let ask = |hold| self.job_after(token, hold);
        let look = |job: &Job| {
            progress(&job.progress);
            (!job.has_ended()).then(|| Duration::from_millis(job.poll_after_ms))
        };
        options.poll(&self.project, ask, look).await?.map_err(|job| {
            let timeout = WaitTimeout { tracking_token: token.clone(), waited: options.timeout, job };
            Error::WaitTimeout(Box::new(timeout))
        })
    }
}

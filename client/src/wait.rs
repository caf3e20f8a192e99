//! Waiting: for a translation job, for a person's decision, for a request to end.

use std::future::Future;
use std::time::Duration;

use l10n_api_types::TrackingToken;
use l10n_api_types::translations::{Job, Progress};
use tokio::time::Instant;

use crate::error::{Error, Result, WaitTimeout};
use crate::translations::Translations;

/// The longest that the server holds an answer back.
const LONGEST_POLL: u32 = 25;

/// However soon the server would have the next poll.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// However late the server would have the next poll.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How often the progress of a job is told, unless told otherwise, in seconds.
const PROGRESS: u32 = 2;

/// How to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitOptions {
    pub(crate) timeout: Duration,
    poll_seconds: Option<u32>,
    patience: Duration,
}

/// Up to 30 minutes; a server that is away for up to a minute is waited for.
impl Default for WaitOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(1_800), poll_seconds: None, patience: Duration::from_secs(60) }
    }
}

impl WaitOptions {
    /// How long to wait in all. 30 minutes by default. What is waited for goes on.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long the server may hold each answer back, 0 to 25 seconds. The end is told at once, whatever this is. For a
    /// job 2 by default, which is how often progress is told; for an operation 25. Each poll counts against the request
    /// budget.
    #[must_use]
    pub fn poll_seconds(mut self, seconds: u32) -> Self {
        self.poll_seconds = Some(seconds.min(LONGEST_POLL));
        self
    }

    /// For how long failures that may heal (a server that restarts) are borne in a row. A minute by default.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The longest hold of an answer that the server knows, unless told otherwise.
    pub(crate) fn at_longest(mut self) -> Self {
        self.poll_seconds = self.poll_seconds.or(Some(LONGEST_POLL));
        self
    }

    /// Answers that the server does not hold back.
    pub(crate) fn without_hold(mut self) -> Self {
        self.poll_seconds = Some(0);
        self
    }

    /// Asks, with the seconds that the answer may be held back, until `look` says that it is the last one. `look` gives
    /// the pause before the next otherwise.
    ///
    /// `Err` within `Ok` is the answer as last seen, when the time was over.
    pub(crate) async fn poll<T, F>(
        &self,
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
            // The wait ends in time even where the poll does not.
            let pause = match tokio::time::timeout(left, ask(hold)).await {
                Err(_) => continue,
                Ok(Ok(answer)) => {
                    answered = Instant::now();
                    let Some(wanted) = look(&answer) else { return Ok(Ok(answer)) };
                    last = Some(answer);
                    // A server that held the answer back has made the pause itself.
                    let held = hold > 0 && asked.elapsed() >= Duration::from_secs(u64::from(hold));
                    let wanted = wanted.clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
                    if held { Duration::ZERO } else { wanted.saturating_sub(asked.elapsed()) }
                }
                Ok(Err(error)) if error.is_retryable() && answered.elapsed() < self.patience => {
                    tracing::debug!(%error, "asking again");
                    error.retry_after().unwrap_or(Duration::from_secs(1))
                }
                Ok(Err(error)) => return Err(error),
            };
            tokio::time::sleep(pause.min(self.timeout.saturating_sub(begun.elapsed()))).await;
        }
    }
}

impl Translations {
    /// Waits until a job has ended, with [`WaitOptions::default`]. `progress` is told after every poll.
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
    /// As [`wait_for_translation`](Self::wait_for_translation).
    pub async fn wait(&self, token: &TrackingToken, progress: impl FnMut(&Progress)) -> Result<Job> {
        self.wait_for_translation(token, &WaitOptions::default(), progress).await
    }

    /// Waits until a job has ended, by long polls, and returns it as it ended. `progress` is told after every poll.
    ///
    /// A job that ended `partial`, `failed` or `canceled` is **no error** here: it was waited for, and it ended. Its
    /// `status` and `failures` say how. What failed was not charged.
    ///
    /// # Errors
    ///
    /// [`Error::WaitTimeout`] when it has not ended in time (it goes on); otherwise as [`job`](Self::job).
    pub async fn wait_for_translation(
        &self,
        token: &TrackingToken,
        options: &WaitOptions,
        mut progress: impl FnMut(&Progress),
    ) -> Result<Job> {
        let ask = |hold| self.job_after(token, hold);
        let look = |job: &Job| {
            progress(&job.progress);
            (!job.status.is_final()).then(|| Duration::from_millis(job.poll_after_ms))
        };
        options.poll(ask, look).await?.map_err(|job| {
            let timeout = WaitTimeout { tracking_token: token.clone(), waited: options.timeout, job };
            Error::WaitTimeout(Box::new(timeout))
        })
    }
}

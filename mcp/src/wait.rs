//! Waiting for a run, shorter than clients wait for a call.

use std::time::Duration;

use l10n_client::Project;
use l10n_client::api::TrackingToken;
use l10n_client::api::translations::Job;
use tokio::time::Instant;

use crate::call::Call;
use crate::failure::Failure;

/// Longest wait of one call: clients give a call up after 60 seconds.
pub(crate) const LONGEST_TOOL_WAIT: Duration = Duration::from_secs(50);

/// Seconds for which the server holds an answer back while somebody watches, and otherwise.
const HOLDS: [u32; 2] = [2, 20];

/// Waits until a run has ended, the client no longer wants the answer, or the call has taken so long, with its wait for a
/// person. Returns the run's last state.
pub(crate) async fn for_run(
    call: &Call<'_>,
    project: &Project,
    token: &TrackingToken,
    longest: Duration,
) -> Result<Job, Failure> {
    let mut progress = call.progress();
    let hold = if progress.is_wanted() { HOLDS[0] } else { HOLDS[1] };
    let translations = project.translations();
    let mut job = translations.job(token).await?;
    loop {
        let at = job.progress;
        let message = format!("{} of {} texts", at.done, at.total);
        progress.report((at.done + at.failed) as f64, Some(at.total as f64), message).await;
        let left = longest.saturating_sub(call.begun.elapsed());
        if job.has_ended() || left < Duration::from_secs(1) {
            return Ok(job);
        }
        let hold = hold.min(u32::try_from(left.as_secs()).unwrap_or(hold));
        let asked = Instant::now();
        tokio::select! {
            next = translations.job_after(token, hold) => job = next?,
            () = call.canceled() => return Ok(job),
        }
        // A server that does not hold its answers back is not asked without a pause.
        if !job.has_ended() && asked.elapsed() < Duration::from_millis(200) {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }
}

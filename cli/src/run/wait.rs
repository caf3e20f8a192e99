//! Waiting for translation jobs.

use std::time::Duration;

use l10n_client::WaitOptions;
use l10n_client::api::translations::{Failure, Job, JobStatus, Progress as Counts};
use l10n_client::api::{LONGEST_WAIT_SECONDS, Millicredits, TrackingToken};
use serde::Serialize;

use super::settle::PartialFailure;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::progress::Progress;
use crate::session::Session;
use crate::words::counted;

/// The program stops waiting for a job that takes longer; the job goes on.
const LONGEST_WAIT: Duration = Duration::from_secs(6 * 3_600);
/// Number of failures that are listed.
const NAMED: usize = 20;

/// The outcome of a job.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobSummary {
    pub(crate) tracking_token: TrackingToken,
    pub(crate) status: JobStatus,
    pub(crate) progress: Counts,
    pub(crate) credits_charged: Millicredits,
    pub(crate) balance: Millicredits,
    pub(crate) failures: Vec<Failure>,
}

impl From<Job> for JobSummary {
    fn from(job: Job) -> Self {
        Self {
            tracking_token: job.tracking_token,
            status: job.status,
            progress: job.progress,
            credits_charged: job.credits_charged,
            balance: job.balance,
            failures: job.failures,
        }
    }
}

/// Waits for jobs with one bar over all of them, and adds those that have ended to `jobs`; `total` is the number of
/// translations in all.
pub(crate) async fn wait_for(
    context: &Context,
    session: &Session,
    tokens: &[TrackingToken],
    total: u64,
    jobs: &mut Vec<JobSummary>,
) -> Result<(), CliError> {
    let bar = Progress::new(&context.printer, "Translating", total);
    // Polls count against the request budget: without a progress bar, few are enough.
    let poll = if context.printer.shows_progress() { 2 } else { LONGEST_WAIT_SECONDS };
    let options = WaitOptions::default().timeout(LONGEST_WAIT).poll_seconds(poll);
    let mut before = 0;
    for token in tokens {
        let job = session
            .project
            .translations()
            .wait_for_translation(token, &options, |at| bar.set(before + at.done + at.failed))
            .await
            .doing(format!("waiting for the translation job {token}"))?;
        before += job.progress.total;
        jobs.push(JobSummary::from(job));
    }
    Ok(())
}

/// Prints the outcome of jobs; returns an error if some translations failed.
pub(crate) fn finish(context: &Context, jobs: &[JobSummary]) -> Result<(), CliError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let printer = &context.printer;
    let sum = |value: fn(&Counts) -> u64| jobs.iter().map(|job| value(&job.progress)).sum::<u64>();
    let (done, total, review) = (sum(|p| p.done), sum(|p| p.total), sum(|p| p.needs_review));
    let charged: Millicredits = jobs.iter().map(|job| job.credits_charged).sum();
    let balance = jobs.last().map_or(Millicredits::ZERO, |job| job.balance);
    let text = format!("Translated {done} of {total}, charged {charged} credits, balance {balance}");
    let ended_well = jobs.iter().all(|job| job.status == JobStatus::Completed) && done == total;
    if ended_well {
        printer.done(text);
    } else {
        printer.line(text);
    }
    if review > 0 {
        printer.warn(format!(
            "{review} of them did not pass the checks and are not published before a person reviews them: l10n status"
        ));
    }
    if ended_well {
        return Ok(());
    }
    let mut failures: Vec<&Failure> = jobs.iter().flat_map(|job| &job.failures).collect();
    // The server lists them as they happened, and chunks end in any order.
    failures.sort_by_key(|failure| (&failure.language, &failure.r#ref));
    for failure in failures.iter().take(NAMED) {
        let Failure { r#ref, language, error, message } = failure;
        printer.warn(format!("`{}` was not translated into {language}: {message} ({error})", r#ref));
    }
    if failures.len() > NAMED {
        printer.warn(format!("and {} more; --json lists them all", failures.len() - NAMED));
    }
    Err(PartialFailure(format!("{} of {} failed", total.saturating_sub(done), counted(total, "translation"))).into())
}

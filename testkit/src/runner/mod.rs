//! Runs checks against a deployment.
//!
//! Each lane (a project of the profile) has one check in it at a time, so that checks need not fear one another; checks that
//! wait for long let others into their lane meanwhile. Checks that move the deployment's clock run at the end, alone.

mod check_record;
mod clean_up;
mod environment;
mod error;
mod estimate;
mod execution;
mod expect;
mod observer;
mod options;
pub mod preflight;
mod run_check;
mod run_record;
mod schedule;
mod survey;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use self::check_record::CheckRecord;
pub use self::clean_up::{Leftovers, clean_up};
pub use self::error::RunError;
pub use self::expect::{ExpectError, Expectation, Expected};
pub use self::observer::{Observer, RunEvent};
pub(crate) use self::options::like;
pub use self::options::{Depth, Options, Origin, Selection, SelectionError, nearest};
pub use self::run_record::RunRecord;
pub use crate::names::{seed, sha256};
pub use crate::session::SessionError;

use self::execution::Execution;
use crate::check::Check;
use crate::profile::Profile;
use crate::session::{OpenEntries, Pacer, Secrets, Session, system_now};

/// A text about the deployment of a profile, without the profile's secrets.
#[must_use]
pub fn redact(profile: &Profile, text: &str) -> String {
    Secrets::of(profile).redact(text)
}

/// Runs the selected checks, and returns the results of all checks of the suite.
///
/// # Errors
///
/// Returns an error if the run cannot begin. Later errors are in the record.
pub async fn run(profile: Profile, options: Options) -> Result<RunRecord, RunError> {
    run_checks(crate::checks::all(), profile, options).await
}

/// As [`run`], with these checks in place of the suite's.
///
/// # Errors
///
/// As [`run`].
pub async fn run_checks(
    checks: Vec<&'static Check>,
    profile: Profile,
    options: Options,
) -> Result<RunRecord, RunError> {
    profile.validate()?;
    options.selection.validate(&checks)?;
    let started = system_now();
    let session = Session::new(profile, options.limits(), options.journal.as_deref(), options.trace.as_deref()).await?;
    let execution = Execution { session: Arc::new(session), options: Arc::new(options) };
    let ran = schedule::run_all(&checks, &execution).await;
    let (clean_up, journal) = end(&execution).await;
    Ok(RunRecord::new(&execution, started, ran, clean_up, journal))
}

/// So long the clean-up of an interrupted run takes at most: what sends a signal soon sends one that cannot be refused.
const GRACE: Duration = Duration::from_secs(5);

/// Removes what is left of an interrupted run, as far as that goes in a few seconds. The journal keeps the rest.
async fn settle_soon(session: &Session, open: OpenEntries) -> Vec<String> {
    // A budget that the run has used up is not waited for.
    let pacer = Pacer::new(usize::MAX);
    let access = clean_up::WebhookAccess { pacer: &pacer, ..clean_up::WebhookAccess::of(session) };
    match tokio::time::timeout(GRACE, clean_up::settle(access, open, Some(&session.journal))).await {
        Ok((_, failed)) => failed,
        Err(_) => {
            let open = session.journal.open();
            let count = open.made.len() + open.intents.len();
            {
                let webhooks = if count == 1 { "1 webhook".to_owned() } else { format!("{count} webhooks") };
                vec![format!("up to {webhooks}: the deployment did not answer within {} s", GRACE.as_secs())]
            }
        }
    }
}

/// Removes what is left, such as what a check made that was stopped before it knew. Returns what stays, and its journal.
async fn end(execution: &Execution) -> (Vec<String>, Option<PathBuf>) {
    let session = &execution.session;
    let open = session.journal.open();
    let mut failed = Vec::new();
    if !open.is_empty() && !execution.options.keep {
        if session.http.breaker().why().is_some() {
            failed.push(format!("the deployment stopped answering with {} webhooks in it", open.made.len()));
        } else if execution.options.interrupt.is_cancelled() {
            failed.extend(settle_soon(session, open).await);
        } else {
            (_, failed) = clean_up::settle(clean_up::WebhookAccess::of(session), open, Some(&session.journal)).await;
        }
    }
    match session.journal.end() {
        Ok(left) => (failed, left),
        Err(error) => {
            failed.push(format!("the journal {}: {error}", session.journal.path().display()));
            (failed, Some(session.journal.path().to_owned()))
        }
    }
}

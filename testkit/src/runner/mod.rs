//! Runs checks against a deployment.
//!
//! Each lane (a project of the profile) has one check in it at a time, so that checks need not fear one another; checks that
//! wait for long let others into their lane meanwhile. Checks that move the deployment's clock run at the end, alone.

mod breaker;
mod clean_up;
mod clock;
mod expect;
mod http;
mod journal;
mod lanes;
mod listening;
mod observer;
mod one;
mod options;
mod pace;
mod pool;
pub mod preflight;
mod record;
mod schedule;
mod secrets;
mod survey;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub use self::clean_up::{Leftovers, clean_up};
pub use self::expect::{ExpectError, Expectation, Expected};
pub use self::observer::{Event, Observer};
pub use self::options::{Options, Selection, SelectionError, nearest};
pub use self::record::{CheckRecord, RunRecord};

pub(crate) use self::clock::{DeploymentClock, system_now};
pub(crate) use self::http::{Http, RawAnswer, USER_AGENT};
pub(crate) use self::journal::{Journal, Journaled};
pub(crate) use self::lanes::LaneHold;
pub(crate) use self::listening::Listening;
pub use self::listening::SpareReceiver;
pub(crate) use self::options::like;
pub(crate) use self::pace::Paces;
pub use self::pool::Scratch;
pub(crate) use self::pool::{Found, Pool};
pub use self::secrets::seed;
pub(crate) use self::secrets::{Secrets, projects};

use crate::check::Check;
use crate::profile::Profile;

/// The state that all checks of a run share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) run_id: String,
    pub(crate) profile: Profile,
    pub(crate) options: Options,
    pub(crate) http: Http,
    pub(crate) paces: Paces,
    pub(crate) clock: DeploymentClock,
    /// The suite's receiver.
    pub(crate) listening: Option<Arc<Listening>>,
    pub(crate) journal: Journal,
    pub(crate) secrets: Secrets,
    /// The profile's scratch projects.
    pub(crate) scratch: Pool,
    uniques: AtomicU64,
}

impl Shared {
    /// A text that is new at each use, and always of one length, so that what is priced by characters costs the same.
    pub(crate) fn unique(&self) -> String {
        format!("{}-{:05}", self.run_id, self.uniques.fetch_add(1, Ordering::Relaxed))
    }
}

/// The reason why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Nothing to run.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The profile is not valid.
    #[error(transparent)]
    Profile(#[from] crate::profile::ProfileError),
    /// The receiver does not listen.
    #[error("the suite's receiver cannot listen on {0}")]
    Receiver(std::net::SocketAddr, #[source] crate::receiver::StartError),
    /// A file of the profile cannot be used.
    #[error("{0}")]
    Setup(String),
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
    let shared = Arc::new(Shared::new(profile, options).await?);
    let ran = schedule::run_all(&checks, &shared).await;
    let (clean_up, journal) = end(&shared).await;
    Ok(RunRecord::new(&shared, started, ran, clean_up, journal))
}

/// Removes what is left, such as what a check made that was stopped before it knew. Returns what stays, and its journal.
async fn end(shared: &Shared) -> (Vec<String>, Option<PathBuf>) {
    let open = shared.journal.open();
    let mut failed = Vec::new();
    if !open.is_empty() && !shared.options.keep {
        if shared.http.breaker().why().is_some() {
            failed.push(format!("the deployment stopped answering with {} webhooks in it", open.made.len()));
        } else {
            (_, failed) = clean_up::settle(shared.webhook_access(), open, Some(&shared.journal)).await;
        }
    }
    match shared.journal.end() {
        Ok(left) => (failed, left),
        Err(error) => {
            failed.push(format!("the journal {}: {error}", shared.journal.path().display()));
            (failed, Some(shared.journal.path().to_owned()))
        }
    }
}

impl Shared {
    /// Time limit of a check, which is longer than its requests and polls together should take. Exceeding it is an
    /// error of the suite.
    pub(crate) fn limit(&self, check: &Check) -> Duration {
        let waits = if self.clock.can_be_moved() { Duration::ZERO } else { self.clock.real_time_of(check.waits) };
        self.options.patience() * 10 + waits * 2
    }

    async fn new(profile: Profile, options: Options) -> Result<Self, RunError> {
        let http = Http::new(&profile, &options).map_err(RunError::Setup)?;
        let listening = Listening::start(&profile).await?;
        let clock = DeploymentClock::new(&profile);
        let run_id = secrets::run_id();
        let journal = Journal::begin(&run_id, &profile.base_url, options.journal.as_deref());
        let secrets = Secrets::of(&profile);
        let (paces, uniques) = (Paces::new(options.requests_per_minute), AtomicU64::new(0));
        let scratch = Pool::new(profile.scratch.len());
        Ok(Self { run_id, profile, options, http, paces, clock, listening, journal, secrets, scratch, uniques })
    }
}

/// An error and what is behind it, in one line.
pub(crate) fn one_line(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

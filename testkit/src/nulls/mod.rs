//! Servers that keep nothing of the specification: a check that passes on one of them proves nothing.

mod profile;
mod server;

use std::time::Duration;

use anyhow::{Context as _, Result};
use futures_util::future::try_join_all;

pub use self::server::{Null, NullServer};

use crate::check::Check;
use crate::outcome::{NotRun, Status};
use crate::runner::{Options, RunRecord, Selection, run_checks};

/// The results of the checks on one null server.
#[derive(Debug, Clone)]
pub struct NullOutcome {
    /// The server.
    pub null: Null,
    /// Checks that passed on it.
    pub passed: Vec<&'static str>,
    /// Checks that were run to some end.
    pub judged: usize,
    /// Checks that the run itself spared the server, which proves nothing of them.
    pub spared: Vec<&'static str>,
}

/// Runs every check against one null server, regardless of its claims.
///
/// # Errors
///
/// Returns an error if `only` matches no check, or if the surroundings fail.
pub async fn run(null: Null, timeout: Duration, only: &[String]) -> Result<NullOutcome> {
    let selection = Selection { only: only.to_vec(), ..Selection::default() };
    let mut checks = crate::checks::all();
    selection.validate(&checks)?;
    checks.retain(|check| selection.takes(check));
    let runs = try_join_all(shares(checks).into_iter().map(|checks| run_share(null, timeout, checks))).await?;
    let records: Vec<_> = runs.iter().flat_map(|run| &run.checks).collect();
    let passed = records.iter().filter(|record| record.status == Status::Pass).map(|record| record.check.id);
    let judged = records.iter().filter(|record| record.status != Status::NotRun).count();
    let spares = |not_run: &NotRun| match not_run {
        // What answers 429 has no budget left that a check could use up.
        NotRun::Budget(_) => !matches!(null, Null::Error(429, _)),
        NotRun::CapabilityMissing(_) | NotRun::Clock(_) | NotRun::Filtered => true,
        NotRun::NotClaimed(_) | NotRun::ReadOnly => true,
        _ => false,
    };
    let spared = records.iter().filter(|record| record.not_run.as_ref().is_some_and(spares));
    let spared = spared.map(|record| record.check.id).collect();
    Ok(NullOutcome { null, passed: passed.collect(), judged, spared })
}

/// In a run, checks that move the clock are alone. Those wait beside each other here, in this many runs.
const SHARES: usize = 4;

/// The checks of each run: the first one has those that leave the clock alone, too.
fn shares(checks: Vec<&'static Check>) -> Vec<Vec<&'static Check>> {
    let (still, moving): (Vec<_>, Vec<_>) = checks.into_iter().partition(|check| check.waits.is_zero());
    let mut shares = vec![Vec::new(); SHARES];
    shares[0] = still;
    for (number, check) in moving.into_iter().enumerate() {
        shares[number % SHARES].push(check);
    }
    shares.retain(|share| !share.is_empty());
    shares
}

/// Runs these checks against a server of their own.
async fn run_share(null: Null, timeout: Duration, checks: Vec<&'static Check>) -> Result<RunRecord> {
    let server = NullServer::start(null).await.context("the null server does not start")?;
    // Its clock can be moved, so that no check is spared for its waits.
    let clock = NullServer::start(Null::Empty(200)).await.context("the clock does not start")?;
    let folder = tempfile::tempdir()?;
    let profile = profile::of(&server.base_url, &clock.base_url, folder.path())?;
    // Each check is asked, whatever became of those before it; only where none is ever answered, thirty are enough.
    let give_up_after = if null == Null::Hangs { 30 } else { 0 };
    // It counts no requests, so that none waits for a minute to be over.
    let requests_per_minute = 1_000_000;
    let options = Options {
        timeout,
        give_up_after,
        requests_per_minute,
        preflight: false,
        burn_budgets: true,
        ..Options::default()
    };
    Ok(run_checks(checks, profile, options).await?)
}

//! Servers that keep nothing of the specification: a check that passes on one of them proves nothing.

mod profile;
mod server;

use std::time::Duration;

use anyhow::{Context as _, Result};

pub use self::server::{Null, NullServer};

use crate::outcome::Status;
use crate::runner::{Options, run_checks};

/// The results of the checks on one null server.
#[derive(Debug, Clone)]
pub struct NullOutcome {
    /// The server.
    pub null: Null,
    /// Checks that passed on it.
    pub passed: Vec<&'static str>,
    /// Checks that were run to some end.
    pub judged: usize,
}

/// Runs every check against one null server, regardless of its claims.
///
/// # Errors
///
/// Returns an error if the surroundings fail.
pub async fn run(null: Null, timeout: Duration, only: &[String]) -> Result<NullOutcome> {
    let server = NullServer::start(null).await.context("the null server does not start")?;
    // Its clock can be moved, so that no check is spared for its waits.
    let clock = NullServer::start(Null::Empty(200)).await.context("the clock does not start")?;
    let folder = tempfile::tempdir()?;
    let profile = profile::of(&server.base_url, &clock.base_url, folder.path())?;
    // Each check is asked, whatever became of those before it; only where none is ever answered, thirty are enough.
    let give_up_after = if null == Null::Hangs { 30 } else { 0 };
    let mut options = Options { timeout, give_up_after, preflight: false, ..Options::default() };
    options.selection.only = only.to_vec();
    let run = run_checks(crate::checks::all(), profile, options).await?;
    let passed = run.checks.iter().filter(|record| record.status == Status::Pass).map(|record| record.check.id);
    let judged = run.checks.iter().filter(|record| record.status != Status::NotRun).count();
    Ok(NullOutcome { null, passed: passed.collect(), judged })
}

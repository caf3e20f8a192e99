//! `l10n-testkit nulls`.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use futures_util::StreamExt as _;
use l10n_testkit::nulls::{self, Null};

use super::output::CommandError;

#[derive(Args)]
pub(crate) struct NullsCommand {
    /// Only checks with this id, or that cover it; * matches anything; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// Time limit for an answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1)]
    timeout: u64,
    /// Number of servers at once; where many share a processor, answers come too late to be judged
    #[arg(long, default_value_t = 4)]
    jobs: usize,
}

impl NullsCommand {
    /// Ends with 0 if no check passes on any of them, else with 1.
    pub(crate) async fn run(self) -> Result<ExitCode, CommandError> {
        let timeout = Duration::from_secs(self.timeout);
        let runs = Null::ALL.map(|null| nulls::run(null, timeout, &self.only));
        let mut running = futures_util::stream::iter(runs).buffer_unordered(self.jobs.max(1));
        let mut code = ExitCode::SUCCESS;
        while let Some(outcome) = running.next().await {
            let outcome = outcome.map_err(CommandError::fault)?;
            let (null, passed) = (outcome.null, outcome.passed.join(", "));
            if !outcome.passed.is_empty() {
                code = ExitCode::from(1);
            }
            let said = if passed.is_empty() { "none pass".to_owned() } else { format!("PASS: {passed}") };
            writeln!(std::io::stdout().lock(), "{null}: {} checks judged, {said}", outcome.judged)
                .map_err(CommandError::fault)?;
        }
        Ok(code)
    }
}

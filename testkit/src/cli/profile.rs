//! `l10n-testkit profile`.

use std::process::ExitCode;

use clap::Args;
use l10n_testkit::profile::EXAMPLE;

use super::output::{CommandError, print};

#[derive(Args)]
pub(crate) struct ProfileCommand {}

impl ProfileCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, CommandError> {
        print(EXAMPLE)?;
        Ok(ExitCode::SUCCESS)
    }
}

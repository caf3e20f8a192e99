//! `l10n-testkit matrix`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use l10n_testkit::registry;

use super::output::{CommandError, print};

#[derive(Args)]
pub(crate) struct MatrixCommand {
    /// Add new ids to the file of all ids ever used, instead of printing
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "testkit/ids.lock")]
    lock: Option<PathBuf>,
}

impl MatrixCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, CommandError> {
        let Some(file) = &self.lock else {
            print(&registry::matrix())?;
            return Ok(ExitCode::SUCCESS);
        };
        let name = file.display();
        let old = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {name}"))
            .map_err(CommandError::usage)?;
        let new = registry::locked(&old);
        std::fs::write(file, &new).with_context(|| format!("cannot write {name}")).map_err(CommandError::fault)?;
        let added = new.lines().filter(|line| !line.starts_with('#') && !old.lines().any(|one| one == *line)).count();
        print(&format!("{name}: {added} ids added\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

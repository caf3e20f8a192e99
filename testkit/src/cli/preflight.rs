//! `l10n-testkit preflight`.

use std::process::ExitCode;

use clap::Args;
use l10n_testkit::Exit;
use l10n_testkit::runner::{preflight, redact};

use super::output::{CommandError, print};
use super::run::ProfileFile;

#[derive(Args)]
pub(crate) struct PreflightCommand {
    #[command(flatten)]
    profile: ProfileFile,
    /// Let the deployment deliver to the suite's receiver, which spends one publish
    #[arg(long)]
    deliver: bool,
}

impl PreflightCommand {
    pub(crate) async fn run(self) -> Result<ExitCode, CommandError> {
        let profile = self.profile.read()?;
        let (mut good, mut reached) = (true, true);
        for finding in preflight::preflight(&profile, self.deliver).await.map_err(CommandError::usage)? {
            let advice = finding.advice.as_deref().map(|advice| format!("\n        {advice}")).unwrap_or_default();
            let mark = if finding.ok { "ok    " } else { "NOT OK" };
            print(&redact(&profile, &format!("{mark}  {}{advice}\n", finding.what)))?;
            good &= finding.ok;
            reached &= !finding.unreachable;
        }
        Ok(match (good, reached) {
            (true, _) => ExitCode::SUCCESS,
            (false, true) => Exit::Usage.into(),
            (false, false) => Exit::Fault.into(),
        })
    }
}

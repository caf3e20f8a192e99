//! `l10n-testkit run`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use l10n_testkit::profile::Profile;
use l10n_testkit::report::{self, Report, Target};
use l10n_testkit::requirement::Level;
use l10n_testkit::runner::{Options, Selection};

use super::Problem;

#[derive(Args)]
pub(crate) struct Run {
    /// Description of the deployment
    #[arg(long, value_name = "FILE.toml")]
    profile: PathBuf,
    #[command(flatten)]
    how: How,
}

/// How a run goes, whatever deployment it is of.
#[derive(Args)]
pub(crate) struct How {
    /// Checks up to this level
    #[arg(long, value_enum, default_value = "all")]
    level: Depth,
    /// Checks whose id, or an id that they cover, is this; * stands for anything; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// How long an answer or a delivery may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    timeout: u64,
    /// Report to write: text, json, junit, html or tap; `html=report.html` into a file, `json` or `json=-` on standard
    /// output in place of the text; may be repeated
    #[arg(long, value_name = "KIND=PATH")]
    pub(crate) report: Vec<Target>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Depth {
    Core,
    Extended,
    All,
}

impl How {
    pub(crate) fn options(self) -> Options {
        let levels = match self.level {
            Depth::Core => vec![Level::Core],
            Depth::Extended => vec![Level::Core, Level::Extended],
            Depth::All => Vec::new(),
        };
        Options {
            selection: Selection { levels, only: self.only },
            timeout: Duration::from_secs(self.timeout),
            ..Options::default()
        }
    }
}

impl Run {
    pub(crate) async fn run(self) -> Result<ExitCode, Problem> {
        let profile = Profile::read(&self.profile).map_err(Problem::usage)?;
        let reports = self.how.report.clone();
        go(profile, self.how.options(), &reports).await
    }
}

/// Runs, reports, and gives the exit code of the verdict.
pub(crate) async fn go(profile: Profile, options: Options, reports: &[Target]) -> Result<ExitCode, Problem> {
    let run = l10n_testkit::run(profile, options).await.map_err(Problem::usage)?;
    let report = Report::of(&run);
    let printed = reports.iter().any(|target| target.path.is_none());
    let text = Target { kind: report::Kind::Text, path: None };
    for target in reports.iter().chain((!printed).then_some(&text)) {
        report::write(&report, target).map_err(Problem::fault)?;
    }
    Ok(ExitCode::from(report.exit_code))
}

//! `l10n-testkit run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use l10n_testkit::Exit;
use l10n_testkit::profile::Profile;
use l10n_testkit::report::{self, Report, ReportTarget, RunResult};
use l10n_testkit::requirement::Level;
use l10n_testkit::runner::{self, Expectation, Options, Origin, RunRecord, Selection, preflight};
use tokio_util::sync::CancellationToken;

use super::output::{CommandError, complain};
use super::progress;
use super::stop::StopRequests;

#[derive(Args)]
pub(crate) struct RunCommand {
    #[command(flatten)]
    profile: ProfileFile,
    #[command(flatten)]
    how: RunArguments,
}

/// The deployment.
#[derive(Args)]
pub(crate) struct ProfileFile {
    /// The profile, which describes the deployment: `l10n-testkit profile` prints an example
    #[arg(long = "profile", value_name = "FILE.toml", env = "L10N_TESTKIT_PROFILE")]
    file: PathBuf,
}

impl ProfileFile {
    pub(crate) fn read(&self) -> Result<Profile, CommandError> {
        Profile::read(&self.file).map_err(CommandError::usage)
    }

    /// The name of the file, and the SHA-256 of its text.
    fn stated(&self) -> Result<(Option<String>, Option<String>), CommandError> {
        let text = std::fs::read(&self.file).map_err(CommandError::usage)?;
        let name = self.file.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok((name, Some(runner::sha256(&text))))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file
    }
}

/// The selected checks.
#[derive(Args)]
pub(crate) struct SelectionArguments {
    /// Only checks up to this level
    #[arg(long, value_enum, default_value = "all")]
    level: LevelArgument,
    /// Only checks with this id, or that cover it; * matches anything; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
}

/// Options of a run that do not depend on the deployment.
#[derive(Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    chosen: SelectionArguments,
    /// Time limit for an answer or a delivery, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Multiply the suite's own time limits by this, for a slow deployment
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    timeout_multiplier: u32,
    /// Start no check that would end later than this many minutes from now
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..=10_080))]
    deadline: Option<u64>,
    /// Most checks that run at once [default: one for each lane of the profile]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Publishes and restores that the run may spend in each lane of the profile; a project has 30 a day
    #[arg(long, value_name = "N", default_value_t = 20)]
    publishes: u32,
    /// Shuffle the checks where their order does not matter, and print the seed
    #[arg(long)]
    shuffle: bool,
    /// Shuffle with this seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write nothing, for a deployment in use. Checks that write are skipped, and the verdict is incomplete at best
    #[arg(long)]
    read_only: bool,
    /// Use up daily budgets of the projects `burn`
    #[arg(long)]
    burn_budgets: bool,
    /// Keep the webhooks that the checks make; `l10n-testkit cleanup` removes them later
    #[arg(long)]
    keep: bool,
    /// File of known failures as [[expect]] entries. A run with no other failures ends with 6; an entry that does not
    /// occur, or has expired, ends it with 5
    #[arg(long, value_name = "FILE.toml")]
    expect: Option<PathBuf>,
    /// End with 0 instead of 3 if everything passes that --only selects
    #[arg(long)]
    allow_partial: bool,
    /// Result or JSON report of an earlier run, for the HTML report to compare with
    #[arg(long, value_name = "FILE.json")]
    pub(crate) compare: Option<PathBuf>,
    /// Commit or version of the deployment, for the reports
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
    /// Folder for a log of every request and delivery of the run, with their bodies and without secrets: RUN.jsonl
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// File for the journal of webhooks to remove from the deployment
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Report to write: text, json, result, junit, html, tap or har; `html=report.html` writes a file, `json` or `json=-`
    /// writes to standard output instead of the text; may be repeated
    #[arg(long, value_name = "KIND=PATH")]
    pub(crate) report: Vec<ReportTarget>,
}

#[derive(Clone, Copy, ValueEnum)]
enum LevelArgument {
    /// Statements that every deployment keeps
    Core,
    /// Also those of deployments with the claims that they need
    Extended,
    /// Also recommendations
    All,
}

impl SelectionArguments {
    pub(crate) fn selection(&self) -> Selection {
        let levels = match self.level {
            LevelArgument::Core => vec![Level::Core],
            LevelArgument::Extended => vec![Level::Core, Level::Extended],
            LevelArgument::All => Vec::new(),
        };
        Selection { levels, only: self.only.clone() }
    }
}

impl RunArguments {
    pub(crate) fn options(&self) -> Result<Options, CommandError> {
        let expect = self.expect.as_deref().map(Expectation::read).transpose().map_err(CommandError::usage)?;
        let shuffle = self.seed.or_else(|| self.shuffle.then(runner::seed));
        Ok(Options {
            selection: self.chosen.selection(),
            timeout: Duration::from_secs(self.timeout),
            timeout_multiplier: self.timeout_multiplier,
            deadline: self.deadline.map(|minutes| Duration::from_secs(minutes * 60)),
            jobs: self.jobs.map(usize::from),
            publishes: self.publishes,
            read_only: self.read_only,
            burn_budgets: self.burn_budgets,
            keep: self.keep,
            journal: self.journal.clone(),
            trace: self.trace.clone(),
            expect: expect.unwrap_or_default(),
            allow_partial: self.allow_partial,
            origin: Origin { commit: self.commit.clone(), ..Origin::default() },
            shuffle,
            ..Options::default()
        })
    }
}

impl RunArguments {
    /// The result to compare with.
    pub(crate) fn earlier(&self) -> Result<Option<RunResult>, CommandError> {
        self.compare.as_deref().map(RunResult::read).transpose().map_err(CommandError::usage)
    }
}

impl RunCommand {
    pub(crate) async fn run(self) -> Result<ExitCode, CommandError> {
        let profile = self.profile.read()?;
        let mut options = self.how.options()?;
        (options.origin.profile, options.origin.profile_digest) = self.profile.stated()?;
        options.origin.command = Some(format!("l10n-testkit run --profile {}", self.profile.path().display()));
        probe(&self.how.report)?;
        let earlier = self.how.earlier()?;
        options.selection.validate(&l10n_testkit::checks::all()).map_err(CommandError::usage)?;
        gate(&profile, self.profile.path()).await?;
        go(profile, options, &self.how.report, earlier).await
    }
}

/// Refuses to begin if a report could not be written in the end.
pub(crate) fn probe(reports: &[ReportTarget]) -> Result<(), CommandError> {
    reports.iter().try_for_each(report::probe).map_err(CommandError::fault)
}

/// Refuses to begin if nothing could be checked.
async fn gate(profile: &Profile, file: &Path) -> Result<(), CommandError> {
    match preflight::first_contact(profile).await {
        Ok(()) => Ok(()),
        Err(preflight::ContactError::Unreachable(why)) => {
            Err(CommandError::fault(anyhow!("the deployment at {} does not answer: {why}", profile.base_url)))
        }
        Err(preflight::ContactError::Refused(field)) => Err(CommandError::usage(anyhow!(
            "{}: the deployment at {} refuses the key `{field}` (401 unauthorized): put a valid key of that project where the \
             profile says; `l10n-testkit preflight` looks at every key",
            file.display(),
            profile.base_url
        ))),
        Err(preflight::ContactError::Setup(why)) => Err(CommandError::usage(anyhow!("{}: {why}", file.display()))),
    }
}

/// Runs, writes the reports, and returns the exit code of the verdict.
pub(crate) async fn go(
    profile: Profile,
    mut options: Options,
    reports: &[ReportTarget],
    earlier: Option<RunResult>,
) -> Result<ExitCode, CommandError> {
    let (observer, bar) = progress::observer();
    options.observer = observer;
    let seed = options.shuffle;
    // Before anything is printed, so that who waits for a line may interrupt.
    let stops = StopRequests::new();
    let interrupt = options.interrupt.clone();
    let ended = tokio::select! {
        ended = l10n_testkit::run(profile, options) => Some(ended),
        () = given_up(stops, interrupt) => None,
    };
    bar.finish_and_clear();
    // Without `exit`, so that the servers of a lab end with it.
    let Some(ended) = ended else { return Ok(Exit::Interrupted.into()) };
    let run = ended.map_err(CommandError::usage)?;
    let mut report = Report::of(&run);
    if let Some(earlier) = earlier {
        let result = RunResult::of(&report).map_err(CommandError::fault)?;
        report.compared = Some(report::diff(&earlier, &result));
    }
    let printed = reports.iter().any(|target| target.path.is_none());
    let text = ReportTarget { kind: report::ReportKind::Text, path: None };
    let mut exit = report.verdict.exit();
    // One that cannot be written keeps none of the others from being written.
    for target in reports.iter().chain((!printed).then_some(&text)) {
        if let Err(error) = report::write(&report, target) {
            complain(&format!("error: {error}"));
            exit = Exit::Fault;
        }
    }
    say(&run, seed);
    Ok(exit.into())
}

/// Interrupts the run at the first Ctrl-C or SIGTERM, so that it cleans up and reports, and ends at the second one.
async fn given_up(mut stops: StopRequests, interrupt: CancellationToken) {
    stops.next().await;
    interrupt.cancel();
    complain("interrupted: cleaning up; interrupt again to skip that");
    stops.next().await;
}

/// Prints the facts beside the report: expenses, leftovers in the deployment, stale expectations.
fn say(run: &RunRecord, seed: Option<u64>) {
    if let Some(why) = &run.aborted {
        complain(&format!("the deployment stopped answering, so the run was aborted: {}", run.redact(why)));
    }
    for one in &run.stale {
        complain(&format!("stale expectation: {}", run.redact(one)));
    }
    for one in run.clean_up.iter().chain(run.checks.iter().flat_map(|record| &record.clean_up)) {
        complain(&format!("not removed: {}", run.redact(one)));
    }
    if let Some(journal) = &run.journal {
        let name = journal.display();
        complain(&format!(
            "webhooks of run {} were kept: l10n-testkit cleanup --journal {name} removes them",
            run.run_id
        ));
    }
    let spent: u32 = run.publishes.iter().map(|(_, count)| count).sum();
    let most = run.publishes.iter().map(|(_, count)| count).max().unwrap_or(&0);
    let publishes = if spent == 1 { "1 publish".to_owned() } else { format!("{spent} publishes") };
    let projects = match run.publishes.len() {
        1 => "1 project".to_owned(),
        count => format!("{count} projects"),
    };
    complain(&format!("run {} has ended: {publishes} spent in {projects}, at most {most} in one", run.run_id));
    if run.skew != 0 {
        complain(&format!("the deployment's clock was {} ms ahead of this machine's", run.skew));
    }
    if let Some(seed) = seed {
        complain(&format!("shuffled: repeat this order with --seed {seed}"));
    }
}

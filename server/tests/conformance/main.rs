//! The conformance suite before this server, on both engines: each check is a test of its own.
//!
//! The suite runs once for each engine before the tests are reported, with the checks that the arguments select. A check
//! whose routes or surroundings this server does not offer is shown as ignored; every other has to pass.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod deployment;

use std::collections::HashMap;
use std::fmt::Write as _;

use l10n_server::testing::TestStore;
use l10n_testkit::check::Check;
use l10n_testkit::checks;
use l10n_testkit::outcome::{NotRun, Status};
use l10n_testkit::runner::{CheckRecord, Options, RunRecord, run_checks};
use libtest_mimic::{Arguments, Trial};

use deployment::Deployment;

/// Projects that all checks work in: so many that none uses up its requests of a minute, for whose end the run would wait.
const LANES: u16 = 64;
/// Checks that run at once.
const JOBS: usize = 24;

fn main() {
    let arguments = Arguments::from_args();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (sqlite, postgres) = runtime.block_on(async {
        tokio::join!(async { Engine::run("sqlite", Some(TestStore::sqlite().await), &arguments).await }, async {
            Engine::run("postgres", TestStore::postgres().await, &arguments).await
        },)
    });
    let trials = [sqlite, postgres].into_iter().flat_map(Engine::trials).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// The checks on one engine.
struct Engine {
    name: &'static str,
    checks: Vec<&'static Check>,
    /// Results of the checks that ran.
    said: HashMap<&'static str, Said>,
}

/// The result of a check, as the result of a test.
enum Said {
    Passed,
    Ignored,
    Failed(String),
}

impl Engine {
    async fn run(name: &'static str, store: Option<TestStore>, arguments: &Arguments) -> Self {
        let selected = |check: &&Check| selects(arguments, &format!("{name}::{}", check.id));
        let checks: Vec<_> = checks::all().into_iter().filter(selected).collect();
        let mut engine = Self { name, checks, said: HashMap::new() };
        let Some(store) = store else { return engine };
        if !arguments.list && !engine.checks.is_empty() {
            let lanes = u16::try_from(engine.checks.len()).unwrap_or(LANES).clamp(2, LANES);
            let deployment = Deployment::on(&store, lanes).await;
            let options = Options { burn_budgets: true, jobs: Some(JOBS), ..Options::default() };
            let run = run_checks(engine.checks.clone(), deployment.profile.clone(), options).await;
            let run = run.expect("the run begins");
            engine.said = run.checks.iter().map(|record| (record.check.id, said(&run, record))).collect();
            deployment.end().await;
        }
        store.remove().await;
        engine
    }

    fn trials(mut self) -> Vec<Trial> {
        let name = self.name;
        let trial = |check: &'static Check| {
            let said = self.said.remove(check.id).unwrap_or(Said::Ignored);
            let ignored = matches!(said, Said::Ignored);
            let outcome = if let Said::Failed(why) = said { Err(why.into()) } else { Ok(()) };
            Trial::test(format!("{name}::{}", check.id), move || outcome).with_ignored_flag(ignored)
        };
        self.checks.into_iter().map(trial).collect()
    }
}

/// Returns true if the arguments select a test with that name, as the test harness reads them.
fn selects(arguments: &Arguments, name: &str) -> bool {
    let fits = |pattern: &String| if arguments.exact { name == pattern } else { name.contains(pattern.as_str()) };
    arguments.filter.as_ref().is_none_or(fits) && !arguments.skip.iter().any(fits)
}

fn said(run: &RunRecord, record: &CheckRecord) -> Said {
    match (record.status, &record.not_run) {
        (Status::Pass, _) => return Said::Passed,
        (Status::NotRun, Some(NotRun::NotClaimed(_))) => return Said::Ignored,
        _ => {}
    }
    let mut why = record.status.name().to_owned();
    if let Some(reason) = &record.not_run {
        let _ = write!(why, ": {reason:?}");
    }
    if let Some(error) = &record.error {
        let _ = write!(why, ": {error}");
    }
    for failure in &record.failures {
        let case = failure.case.as_deref().map(|case| format!("{case}: ")).unwrap_or_default();
        let _ = write!(why, "\n{case}expected {}, saw {}", failure.expected, failure.actual);
    }
    for left in &record.clean_up {
        let _ = write!(why, "\nnot cleaned up: {left}");
    }
    Said::Failed(run.redact(&why))
}

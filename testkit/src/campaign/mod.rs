//! Runs the checks against each mutant, and tells which of them are found.

mod matrix;

use std::time::Duration;

use anyhow::Result;
use futures_util::StreamExt as _;
use futures_util::future::try_join;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

pub use self::matrix::{Matrix, MatrixRow, MutantOutcome};
use crate::check::Check;
use crate::lab::{Lab, LabConfig, ProxyOptions};
use crate::mutants::{self, Mutant, Plant};
use crate::outcome::{NotRun, Status};
use crate::requirement::Level;
use crate::runner::{CheckRecord, Options, run_checks};

/// The configuration of a campaign.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// The lab. Each mutant has one of its own.
    pub plan: LabConfig,
    /// The mutants.
    pub mutants: Vec<&'static Mutant>,
    /// Labs at once.
    pub jobs: usize,
    /// True if every check that needs no waiting runs, to see which others fail.
    pub collateral: bool,
    /// Time limit for an answer or a delivery.
    pub timeout: Duration,
}

impl Campaign {
    /// Runs the campaign. `say` gets each result as it comes. If dropped before its end, it stops its servers.
    ///
    /// # Errors
    ///
    /// Returns an error if a lab does not start.
    pub async fn run(&self, say: impl Fn(&str)) -> Result<Matrix> {
        let unmutated = Unmutated { records: OnceCell::new(), labs: Semaphore::new(self.jobs.max(1)) };
        let baseline = async {
            for record in self.baseline(&unmutated).await?.iter().filter(|record| !sound(record)) {
                say(&format!("unmutated: {}", seen(record)));
            }
            anyhow::Ok(())
        };
        let work = self.mutants.iter().copied().enumerate();
        let work = work.map(|(place, mutant)| {
            let unmutated = &unmutated;
            async move { (place, self.one(mutant, unmutated).await) }
        });
        let campaign = async {
            let mut rows: Vec<(usize, MatrixRow)> = Vec::new();
            let mut running: FuturesUnordered<_> = work.collect();
            while let Some((place, row)) = running.next().await {
                say(&row.line());
                rows.push((place, row));
            }
            rows.sort_by_key(|(place, _)| *place);
            Ok(rows.into_iter().map(|(_, row)| row).collect())
        };
        let ((), rows) = try_join(baseline, campaign).await?;
        Ok(Matrix::new(rows))
    }

    /// The checks on the server as it is, through the same proxies: what fails here proves nothing there.
    async fn baseline<'a>(&self, unmutated: &'a Unmutated) -> Result<&'a Vec<CheckRecord>> {
        let run = async |relays| {
            let through = |mutant: &&&Mutant| matches!(mutant.plant, Plant::Delivery(_)) == relays;
            let mutants: Vec<_> = self.mutants.iter().filter(through).copied().collect();
            let checks = checks_for(&mutants, self.collateral);
            match mutants.is_empty() {
                true => Ok(Vec::new()),
                false => self.records(unmutated.labs.acquire().await?, &self.plan, checks, None, relays).await,
            }
        };
        let both = async || {
            let (direct, relayed) = try_join(run(false), run(true)).await?;
            anyhow::Ok([direct, relayed].concat())
        };
        unmutated.records.get_or_try_init(both).await
    }

    async fn one(&self, mutant: &'static Mutant, unmutated: &Unmutated) -> MatrixRow {
        let judged = self.judge(mutant, unmutated).await;
        judged.unwrap_or_else(|error| MatrixRow::new(mutant, MutantOutcome::Obstructed(format!("{error:#}"))))
    }

    async fn judge(&self, mutant: &'static Mutant, unmutated: &Unmutated) -> Result<MatrixRow> {
        let plan = match mutant.plant {
            Plant::Rules(rules) => LabConfig { rules: Some(rules.to_owned()), ..self.plan.clone() },
            Plant::Allows(networks) => LabConfig { allow: networks.to_vec(), ..self.plan.clone() },
            _ => self.plan.clone(),
        };
        let relays = matches!(mutant.plant, Plant::Delivery(_));
        let run = async |permit, others| {
            let checks = checks_for(&[mutant], others);
            self.records(permit, &plan, checks, Some(mutant.plant), relays).await
        };
        let permit = unmutated.labs.acquire().await?;
        // The checks on the server without a deviation come first, and are known for most of the mutants by now.
        if let Some(outcome) = unmutated.records.get().and_then(|records| obstacle(mutant, records)) {
            return Ok(MatrixRow::new(mutant, outcome));
        }
        let records = run(permit, self.collateral).await?;
        let baseline = self.baseline(unmutated).await?;
        if let Some(outcome) = obstacle(mutant, baseline) {
            return Ok(MatrixRow::new(mutant, outcome));
        }
        let (killers, others): (Vec<_>, Vec<_>) =
            records.iter().partition(|record| mutant.killed_by.contains(&record.check.id));
        let mut row = MatrixRow::new(mutant, outcome_of(mutant.breaks, &killers));
        let sound_before = |id: &str| baseline.iter().all(|record| record.check.id != id || sound(record));
        let also = others.iter().filter(|one| kills(one) && sound_before(one.check.id));
        row.collateral = also.map(|one| one.check.id).collect();
        if self.collateral && matches!(row.outcome, MutantOutcome::Obstructed(_)) {
            // What others leave behind on such a server may keep its own checks from beginning.
            let alone = run(unmutated.labs.acquire().await?, false).await?;
            row.outcome = outcome_of(mutant.breaks, &alone.iter().collect::<Vec<_>>());
        }
        Ok(row)
    }

    /// Runs checks against a lab of their own, which there may be by this permit.
    async fn records(
        &self,
        _permit: SemaphorePermit<'_>,
        plan: &LabConfig,
        checks: Vec<&'static Check>,
        plant: Option<Plant>,
        relays: bool,
    ) -> Result<Vec<CheckRecord>> {
        let lanes = plan.lanes.max(lanes_for(checks.len()));
        let front = Some(ProxyOptions { plant, relays });
        let lab = Lab::start(&LabConfig { lanes, front, ..plan.clone() }).await?;
        // A busy machine is no reason to give up a lab: what is not answered is an error of one check.
        let options = Options {
            burn_budgets: true,
            preflight: false,
            timeout: self.timeout,
            give_up_after: 0,
            ..Options::default()
        };
        Ok(run_checks(checks, lab.profile.clone(), options).await?.checks)
    }
}

/// The checks' results on the server without a deviation, once they are known, and the labs that may run beside each other.
struct Unmutated {
    records: OnceCell<Vec<CheckRecord>>,
    labs: Semaphore,
}

/// So many lanes that hardly a check waits for the minute to pass in which the requests of its lane were used up.
fn lanes_for(checks: usize) -> u16 {
    u16::try_from(checks.div_ceil(3)).unwrap_or(u16::MAX).min(32)
}

/// The checks that have to find one of these mutants; with `others` every check beside them that waits for nothing.
fn checks_for(mutants: &[&Mutant], others: bool) -> Vec<&'static Check> {
    let kills = |check: &&Check| mutants.iter().any(|mutant| mutant.killed_by.contains(&check.id));
    let also = |check: &&Check| others && check.waits.is_zero();
    crate::checks::all().into_iter().filter(|check| kills(check) || also(check)).collect()
}

/// Mutants whose id, or the id of whose statement or check, is as one of the patterns. None: all.
#[must_use]
pub fn select(patterns: &[String]) -> Vec<&'static Mutant> {
    let fits = |pattern: &String, mutant: &Mutant| {
        let ids = [mutant.id, mutant.breaks].into_iter().chain(mutant.killed_by.iter().copied());
        ids.into_iter().any(|id| crate::runner::like(pattern, id))
    };
    let all = mutants::all().into_iter();
    all.filter(|mutant| patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, mutant))).collect()
}

/// The result of a mutant, from the checks that must find it. A check without a verdict proves neither that the mutant
/// was found nor that it was missed, and one that failed for another of its statements has missed it.
fn outcome_of(breaks: &str, killers: &[&CheckRecord]) -> MutantOutcome {
    let others = killers.iter().filter(|record| !(kills(record) && is_about(record, breaks)));
    let (undecided, missed): (Vec<_>, Vec<_>) =
        others.partition(|record| matches!(record.status, Status::NotRun | Status::Error));
    let words = |records: &[&&CheckRecord]| records.iter().map(|record| seen(record)).collect::<Vec<_>>();
    match (missed.as_slice(), undecided.as_slice()) {
        ([], []) => MutantOutcome::Killed,
        ([], undecided) => MutantOutcome::Obstructed(words(undecided).join("; ")),
        (missed, _) => MutantOutcome::Survived(words(missed)),
    }
}

/// The reason why a mutant proves nothing, from its checks' results on the unchanged server.
fn obstacle(mutant: &Mutant, baseline: &[CheckRecord]) -> Option<MutantOutcome> {
    let mut mine = baseline.iter().filter(|record| mutant.killed_by.contains(&record.check.id));
    let record = mine.find(|record| record.status != Status::Pass)?;
    Some(match &record.not_run {
        Some(NotRun::NotClaimed(claim)) => MutantOutcome::NotClaimed(claim.clone()),
        _ => MutantOutcome::Obstructed(format!("unmutated: {}", seen(record))),
    })
}

/// Returns true if a check behaved on the unchanged server as it should.
fn sound(record: &CheckRecord) -> bool {
    record.status == Status::Pass || matches!(record.not_run, Some(NotRun::NotClaimed(_)))
}

/// Returns true if the check found the deviation. An error or timeout of the suite finds nothing.
fn kills(record: &CheckRecord) -> bool {
    record.status == if record.check.level() == Level::Advisory { Status::Warn } else { Status::Fail }
}

/// Returns true if a failure of the check is about this statement: its case names it, or none.
fn is_about(record: &CheckRecord, statement: &str) -> bool {
    record.failures.iter().any(|failure| {
        let named = failure.statements(record.check.covers);
        named.is_empty() || named.contains(&statement)
    })
}

fn seen(record: &CheckRecord) -> String {
    let why = record.not_run.as_ref().map(|reason| format!(" {reason:?}"));
    let why = why.or_else(|| record.error.as_ref().map(|error| format!(" {error}")));
    let failure = record.failures.first().map(|one| format!(" expected {}, saw {}", one.expected, one.actual));
    format!("{} {}{}", record.check.id, record.status.name(), why.or(failure).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Failure;

    #[test]
    fn a_check_without_a_verdict_does_not_let_a_mutant_survive() {
        let check = crate::checks::all().into_iter().find(|check| check.level() == Level::Core).unwrap();
        let advisory = crate::checks::all().into_iter().find(|check| check.level() == Level::Advisory).unwrap();
        let failure = || vec![Failure { case: None, expected: String::new(), actual: String::new(), exchange: None }];
        let record = |status| CheckRecord { status, failures: failure(), ..CheckRecord::unreached(check) };
        let warned = CheckRecord { status: Status::Warn, failures: failure(), ..CheckRecord::unreached(advisory) };
        let (pass, fail) = (record(Status::Pass), record(Status::Fail));
        let (error, not_run) = (record(Status::Error), record(Status::NotRun));
        assert_eq!(outcome_of(check.id, &[&fail, &warned]), MutantOutcome::Killed);
        assert!(matches!(outcome_of(check.id, &[&fail, &error]), MutantOutcome::Obstructed(_)));
        assert!(matches!(outcome_of(check.id, &[&not_run]), MutantOutcome::Obstructed(_)));
        let MutantOutcome::Survived(missed) = outcome_of(check.id, &[&pass, &error, &fail]) else {
            panic!("one passed")
        };
        assert_eq!(missed.len(), 1);
        assert!(missed[0].starts_with(check.id), "{missed:?}");
    }

    #[test]
    fn a_check_that_fails_for_another_statement_has_not_found_the_mutant() {
        let check = crate::checks::all().into_iter().find(|check| check.id == "DLV-9").unwrap();
        let failing = |case: &str| {
            let failure =
                Failure { case: Some(case.to_owned()), expected: "".into(), actual: "".into(), exchange: None };
            CheckRecord { status: Status::Fail, failures: vec![failure], ..CheckRecord::unreached(check) }
        };
        for (case, killed) in
            [("DLV-10: no answer", true), ("DLV-9, DLV-10", true), ("DLV-9: 418", false), ("else", true)]
        {
            let outcome = outcome_of("DLV-10", &[&failing(case)]);
            assert_eq!(outcome == MutantOutcome::Killed, killed, "{case}: {outcome:?}");
        }
    }
}

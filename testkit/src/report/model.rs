//! A run as every report shows it: without secrets, with the verdict. The JSON report is this and nothing else.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use super::check_model::CheckReport;
use super::difference::Difference;
use crate::check::Claim;
use crate::outcome::{NotRun, Status};
use crate::requirement::{self, Level, Requirement, requirements};
use crate::runner::RunRecord;
use crate::verdict::{Verdict, is_unclaimed_core, verdict};

/// A run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Version of the suite.
    pub suite_version: &'static str,
    /// Name of the run: part of every webhook URL that it registered.
    pub run_id: String,
    /// The statements that it checks.
    pub specification: Specification,
    /// The deployment.
    pub base_url: String,
    /// Its profile.
    pub profile: ProfileReport,
    /// The commit or version of the deployment, as whoever ran it states it.
    pub commit: Option<String>,
    /// The selected checks.
    pub selection: SelectionReport,
    /// The time at which it began: ISO 8601, UTC.
    pub started_at: String,
    /// The time at which it ended.
    pub ended_at: String,
    /// Its duration, in milliseconds.
    pub took_ms: i64,
    /// The verdict on the deployment, as one word.
    #[serde(serialize_with = "word")]
    pub verdict: Verdict,
    /// The verdict in words: `conformant at level core, long times not verified`.
    pub summary: String,
    /// True if statements about long times were verified; `None` where the verdict is not `conformant`.
    pub long_times: Option<bool>,
    /// The exit code of that verdict.
    pub exit_code: u8,
    /// The claims of the deployment.
    pub claims: Vec<Claim>,
    /// Claims that selected checks need and the deployment does not make.
    pub not_claimed: Vec<MissingClaim>,
    /// Checks that do not pass, as expected.
    pub expected: Vec<String>,
    /// Expectations that did not come true or have expired, each in a sentence.
    pub stale: Vec<String>,
    /// The differences from an earlier run.
    #[serde(skip)]
    pub compared: Option<Difference>,
    /// Numbers of checks by status.
    pub counts: Counts,
    /// Every statement that can be checked from outside, with its result.
    pub requirements: Vec<RequirementReport>,
    /// Every check that was selected.
    pub checks: Vec<CheckReport>,
}

/// The statements of a version of the suite.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Specification {
    /// The version of the API.
    pub version: &'static str,
    /// Their number.
    pub statements: usize,
    /// SHA-256 of `requirements.json`, in hexadecimal digits.
    pub digest: String,
}

/// The profile of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileReport {
    /// Its file.
    pub name: Option<String>,
    /// SHA-256 of its text, in hexadecimal digits.
    pub digest: Option<String>,
}

/// The selection of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectionReport {
    /// The level up to which it goes.
    pub level: &'static str,
    /// Patterns of ids; empty: every check.
    pub only: Vec<String>,
}

/// A claim that a profile does not make.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MissingClaim {
    /// Its name.
    pub claim: String,
    /// True if core is not whole without it.
    pub of_core: bool,
    /// The statements that were not verified for it.
    pub statements: Vec<&'static str>,
    /// The checks that need it.
    pub checks: Vec<&'static str>,
}

/// Numbers of checks by status.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Counts {
    pub pass: usize,
    pub fail: usize,
    pub warn: usize,
    pub error: usize,
    pub not_run: usize,
}

/// The result of a statement.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequirementReport {
    /// Its id.
    pub id: &'static str,
    /// Sections of the specification (`docs/spec.md`).
    pub section: &'static str,
    /// Group of its id.
    pub group: &'static str,
    /// Its level.
    pub level: Level,
    /// Its sentence.
    pub statement: &'static str,
    /// The worst status of its checks; `None` if none ran: it is not verified.
    pub status: Option<Status>,
    /// Its checks that were selected.
    pub checks: Vec<&'static str>,
}

impl Report {
    /// Makes the report of a run.
    #[must_use]
    pub fn of(run: &RunRecord) -> Self {
        let selected = || run.checks.iter().filter(|record| record.not_run != Some(NotRun::Filtered));
        let mut counts = Counts::default();
        for record in selected() {
            *match record.status {
                Status::Pass => &mut counts.pass,
                Status::Fail => &mut counts.fail,
                Status::Warn => &mut counts.warn,
                Status::Error => &mut counts.error,
                Status::NotRun => &mut counts.not_run,
            } += 1;
        }
        let verdict = verdict(run);
        Self {
            suite_version: env!("CARGO_PKG_VERSION"),
            run_id: run.run_id.clone(),
            specification: Specification::current(),
            base_url: run.base_url.clone(),
            profile: ProfileReport { name: run.origin.profile.clone(), digest: run.origin.profile_digest.clone() },
            commit: run.origin.commit.clone(),
            selection: SelectionReport { level: run.selection.depth().name(), only: run.selection.only.clone() },
            started_at: Timestamp::from_millisecond(run.started).unwrap_or_default().to_string(),
            ended_at: Timestamp::from_millisecond(run.started + run.took).unwrap_or_default().to_string(),
            took_ms: run.took,
            verdict,
            summary: verdict.to_string(),
            long_times: match verdict {
                Verdict::Conformant(extent) => Some(extent.long_times),
                _ => None,
            },
            exit_code: verdict.exit_code(),
            claims: run.claims.clone(),
            not_claimed: missing_claims(run),
            expected: run
                .checks
                .iter()
                .filter(|one| one.expected.is_some())
                .map(|one| one.check.id.to_owned())
                .collect(),
            stale: run.stale.iter().map(|one| run.redact(one)).collect(),
            compared: None,
            counts,
            requirements: requirements().iter().filter_map(|one| RequirementReport::of(one, run)).collect(),
            checks: selected().map(|record| CheckReport::of(record, run)).collect(),
        }
    }

    /// The check of that id.
    #[must_use]
    pub fn check(&self, id: &str) -> Option<&CheckReport> {
        self.checks.iter().find(|check| check.id == id)
    }
}

fn word<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.word())
}

impl Specification {
    /// That of this suite.
    fn current() -> Self {
        Self { version: "v1", statements: requirements().len(), digest: requirement::digest() }
    }
}

/// Claims that selected checks need and the profile does not make: first those of core.
fn missing_claims(run: &RunRecord) -> Vec<MissingClaim> {
    let mut missing: Vec<MissingClaim> = Vec::new();
    for record in &run.checks {
        let Some(NotRun::NotClaimed(claim)) = &record.not_run else { continue };
        let place = missing.iter().position(|one| one.claim == *claim).unwrap_or_else(|| {
            let (statements, checks) = (Vec::new(), Vec::new());
            missing.push(MissingClaim { claim: claim.clone(), of_core: false, statements, checks });
            missing.len() - 1
        });
        let one = &mut missing[place];
        one.of_core |= is_unclaimed_core(record);
        one.checks.push(record.check.id);
        one.statements.extend(record.check.covers.iter().filter(|id| !one.statements.contains(id)).collect::<Vec<_>>());
    }
    missing.sort_by_key(|one| !one.of_core);
    missing
}

impl RequirementReport {
    /// `None` for a statement that cannot be checked from outside, and if no check of it was selected.
    fn of(requirement: &'static Requirement, run: &RunRecord) -> Option<Self> {
        let mine = || {
            run.checks.iter().filter(|record| {
                record.check.covers.contains(&requirement.id.as_str()) && record.not_run != Some(NotRun::Filtered)
            })
        };
        let checks: Vec<_> = mine().map(|record| record.check.id).collect();
        if checks.is_empty() {
            return None;
        }
        let ran = mine().any(|record| record.status != Status::NotRun);
        Some(Self {
            id: &requirement.id,
            section: &requirement.section,
            group: &requirement.group,
            level: requirement.level,
            statement: &requirement.statement,
            status: mine().map(|record| record.status).max().filter(|_| ran),
            checks,
        })
    }
}

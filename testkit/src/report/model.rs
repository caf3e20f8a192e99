//! A run as every report shows it: without secrets, with the verdict. The JSON report is this and nothing else.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use super::curl::{curl, with_variable};
use super::difference::Difference;
use super::plain::plain;
use crate::check::Claim;
use crate::cx::Exchange;
use crate::outcome::{NotRun, Status};
use crate::receiver::Delivery;
use crate::requirement::{self, Level, Requirement, requirements};
use crate::runner::{CheckRecord, RunRecord};
use crate::verdict::{Verdict, is_unclaimed_core, verdict};

/// The longest body in a report, in bytes.
const LONGEST_BODY: usize = 4 * 1024;

/// So many deliveries of a check are shown at most.
const MOST_DELIVERIES: usize = 5;

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

/// The result of a check.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// Its id.
    pub id: &'static str,
    /// The statements that it covers.
    pub covers: &'static [&'static str],
    /// The level of its statements.
    pub level: Level,
    /// Its status.
    pub status: Status,
    /// The reason why it was not run: a word of [`NotRun::code`].
    pub not_run: Option<&'static str>,
    /// The claim that it needs and the profile lacks.
    pub not_claimed: Option<String>,
    /// The reason why it is expected not to pass.
    pub expected: Option<String>,
    /// The reason why it was not run, in words, or the error of the suite.
    pub reason: Option<String>,
    /// Assertions that held.
    pub assertions: usize,
    /// Its duration, in milliseconds.
    pub took_ms: u64,
    /// Deviations.
    pub failures: Vec<FailureReport>,
    /// The statements that it covers, where it found a deviation.
    pub statements: Vec<StatementReport>,
    /// A command that runs it again, where it found a deviation or could not judge.
    pub again: Option<String>,
    /// Its exchanges, in their order.
    pub exchanges: Vec<ExchangeReport>,
    /// The latest deliveries to its endpoints, where it found a deviation.
    pub deliveries: Vec<DeliveryReport>,
    /// Resources that it made and could not remove.
    pub left_behind: Vec<String>,
}

/// A statement that is not kept.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatementReport {
    /// Its id.
    pub id: &'static str,
    /// Its sentence.
    pub statement: &'static str,
    /// Its rule in the repository of the suite: `docs/spec.md#s6-3`.
    pub links: Vec<String>,
}

/// A delivery as it came.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct DeliveryReport {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The text that its signature is made of: the time of the header, a full stop, and the body.
    pub signature_base: Option<String>,
}

/// A deviation.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureReport {
    /// The case, if the check has several.
    pub case: Option<String>,
    /// The requirement of the specification.
    pub expected: String,
    /// The observation.
    pub actual: String,
    /// The exchange behind it, by its place among the check's.
    pub exchange: Option<usize>,
    /// A command that repeats the request.
    pub curl: Option<String>,
    /// The id by which the operator finds the request in the deployment's log.
    pub correlation_id: Option<String>,
}

/// A request and its answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ExchangeReport {
    pub method: String,
    pub url: String,
    pub request_headers: Vec<(String, String)>,
    pub request_body: String,
    pub status: u16,
    pub response_headers: Vec<(String, String)>,
    pub response_body: String,
    /// The time of the request, by the deployment's clock.
    pub at: String,
    pub took_ms: u64,
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

impl CheckReport {
    fn of(record: &CheckRecord, run: &RunRecord) -> Self {
        let redact = |text: &String| run.redact(text);
        let broken = matches!(record.status, Status::Fail | Status::Warn);
        let latest = &record.deliveries[record.deliveries.len().saturating_sub(MOST_DELIVERIES)..];
        let reason = record.not_run.as_ref().map(NotRun::to_string).or_else(|| record.error.clone());
        let failures = record.failures.iter().map(|failure| {
            let exchange = failure.exchange.and_then(|place| record.exchanges.get(place));
            FailureReport {
                case: failure.case.as_ref().map(redact),
                expected: plain(&redact(&failure.expected)),
                actual: plain(&redact(&failure.actual)),
                exchange: failure.exchange.filter(|_| exchange.is_some()),
                curl: exchange.map(|exchange| with_variable(&redact(&curl(&exchange.request)))),
                correlation_id: exchange
                    .and_then(|exchange| exchange.header("x-correlation-id"))
                    .map(|id| run.redact(id)),
            }
        });
        Self {
            id: record.check.id,
            covers: record.check.covers,
            level: record.check.level(),
            status: record.status,
            not_run: record.not_run.as_ref().map(NotRun::code),
            not_claimed: match &record.not_run {
                Some(NotRun::NotClaimed(claim)) => Some(claim.clone()),
                _ => None,
            },
            expected: record.expected.as_ref().map(redact),
            reason: reason.as_ref().map(redact),
            assertions: record.assertions,
            took_ms: u64::try_from(record.took.as_millis()).unwrap_or(u64::MAX),
            failures: failures.collect(),
            exchanges: record.exchanges.iter().map(|exchange| ExchangeReport::of(exchange, run)).collect(),
            deliveries: latest.iter().map(|delivery| DeliveryReport::of(delivery, run)).collect(),
            statements: if broken {
                record.check.covers.iter().filter_map(|id| StatementReport::of(id)).collect()
            } else {
                Vec::new()
            },
            again: run
                .origin
                .command
                .as_ref()
                .filter(|_| broken || record.status == Status::Error)
                .map(|command| format!("{command} --only {} --allow-partial", record.check.id)),
            left_behind: record.clean_up.iter().map(redact).collect(),
        }
    }
}

impl StatementReport {
    fn of(id: &str) -> Option<Self> {
        let one = requirement::requirement(id)?;
        Some(Self { id: &one.id, statement: &one.statement, links: one.places() })
    }
}

impl DeliveryReport {
    fn of(delivery: &Delivery, run: &RunRecord) -> Self {
        let signature = delivery.header("x-service-signature").unwrap_or_default();
        let time = signature.split(',').find_map(|part| part.trim().strip_prefix("t="));
        let body = shown_body(run, &delivery.body);
        Self {
            path: run.redact(&delivery.uri.to_string()),
            headers: shown_headers(run, &delivery.headers),
            signature_base: time.map(|time| format!("{time}.{body}")),
            body,
        }
    }
}

fn shown_headers(run: &RunRecord, headers: &http::HeaderMap) -> Vec<(String, String)> {
    let text = |value: &http::HeaderValue| run.redact(&String::from_utf8_lossy(value.as_bytes()));
    headers.iter().map(|(name, value)| (name.to_string(), shorten(&text(value)))).collect()
}

fn shown_body(run: &RunRecord, bytes: &[u8]) -> String {
    let shown = run.redact(&String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_BODY)]));
    if bytes.len() > LONGEST_BODY { format!("{shown}… ({} bytes in all)", bytes.len()) } else { shown }
}

impl ExchangeReport {
    fn of(exchange: &Exchange, run: &RunRecord) -> Self {
        let headers = |headers: &http::HeaderMap| shown_headers(run, headers);
        let body = |bytes: &[u8]| shown_body(run, bytes);
        Self {
            method: exchange.request.method.to_string(),
            url: shorten(&run.redact(&exchange.request.url)),
            request_headers: headers(&exchange.request.headers),
            request_body: body(&exchange.request.body),
            status: exchange.status,
            response_headers: headers(&exchange.headers),
            response_body: body(&exchange.body),
            at: Timestamp::from_millisecond(exchange.at).unwrap_or_default().to_string(),
            took_ms: u64::try_from(exchange.took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// A text of a size that a report can hold.
fn shorten(text: &str) -> String {
    if text.len() <= LONGEST_BODY {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_BODY);
    format!("{}… ({} bytes in all)", &text[..end], text.len())
}

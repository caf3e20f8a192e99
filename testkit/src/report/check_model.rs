//! The result of a check as every report shows it: its deviations, exchanges and deliveries, without secrets.

use jiff::Timestamp;
use serde::Serialize;

use super::curl::{curl, with_variable};
use super::plain::plain;
use crate::cx::Exchange;
use crate::outcome::{NotRun, Status};
use crate::receiver::Delivery;
use crate::requirement::{self, Level};
use crate::runner::{CheckRecord, RunRecord};

/// The longest body in a report, in bytes.
const LONGEST_BODY: usize = 4 * 1024;

/// So many deliveries of a check are shown at most.
const MOST_DELIVERIES: usize = 5;

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

impl CheckReport {
    /// The result of a check of a run.
    pub(super) fn of(record: &CheckRecord, run: &RunRecord) -> Self {
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

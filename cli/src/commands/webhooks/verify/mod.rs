//! `l10n webhooks verify`: finds the problem of a delivery: format, time, secret or body.

mod finding;
mod guess;
mod readings;
#[cfg(test)]
mod tests;

use std::time::Duration;

use l10n_client::api::Timestamp;
use l10n_webhook_verify::{HeaderError, SIGNATURE_HEADER, Verifier, VerifyError};
use secrecy::ExposeSecret as _;
use serde::Serialize;

use self::finding::Finding;
use super::secret;
use crate::args::VerifyArgs;
use crate::clock::now;
use crate::context::Context;
use crate::error::{CliError, Failure};
use crate::exit::ExitStatus;
use crate::input;
use crate::printer::Printer;
use crate::words::time;

/// In seconds this is the year 5138, in milliseconds 1973.
const LAST_SECOND: i64 = 100_000_000_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerifyReport<'a> {
    valid: bool,
    signed_at: Option<Timestamp>,
    problems: &'a [Finding],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<serde_json::Value>,
}

pub(crate) async fn verify(context: &Context, args: &VerifyArgs) -> Result<ExitStatus, CliError> {
    let secret = secret::read(context, &args.secret)?;
    let (_, body) = input::bytes(&context.folder, &args.body).await?;
    let at = args.at.unwrap_or_else(now);
    let tolerance = Duration::from_secs(args.tolerance);
    let findings = examine(secret.expose_secret(), &args.header, &body, at.as_seconds(), tolerance);
    let signed_at = guess::time(&args.header).map(|t| Timestamp::from_millis(t.saturating_mul(1_000)));
    let error = (!findings.is_empty()).then(|| refused(&findings));
    let printer = &context.printer;
    printer.json(&VerifyReport {
        valid: findings.is_empty(),
        signed_at,
        problems: &findings,
        error: error.as_ref().map(CliError::to_json),
    });
    tell(printer, &findings, signed_at);
    match error {
        None => Ok(ExitStatus::Success),
        Some(error) => {
            printer.error_text(&error);
            Ok(error.status())
        }
    }
}

fn tell(printer: &Printer, findings: &[Finding], signed_at: Option<Timestamp>) {
    if findings.is_empty() {
        let signed = signed_at.map(|at| format!(", signed {}", time(at))).unwrap_or_default();
        printer.done(format!("The service sent this{signed}: format, time and signature are right"));
    }
    for finding in findings {
        printer.line(format!("✗ {}: {}", finding.part, finding.problem));
        printer.line(format!("    {}", finding.fix));
    }
}

/// Parts of a delivery are wrong.
#[derive(Debug, thiserror::Error)]
#[error("a receiver must refuse this delivery: wrong {0}")]
struct NotVerified(String);

impl Failure for NotVerified {
    fn status(&self) -> ExitStatus {
        ExitStatus::Auth
    }

    fn code(&self) -> &str {
        "not_verified"
    }

    fn hint(&self) -> Option<String> {
        None
    }
}

fn refused(findings: &[Finding]) -> CliError {
    let parts: Vec<&str> = findings.iter().map(|finding| finding.part).collect();
    NotVerified(parts.join(" and ")).into()
}

/// All problems of a delivery; none if a receiver must accept it.
fn examine(secret: &str, header: &str, body: &[u8], now: i64, tolerance: Duration) -> Vec<Finding> {
    let strict = Verifier::new(secret);
    let mut findings = Vec::new();
    // Format and time do not depend on the secret.
    let anybody =
        Verifier::new("whsec_whichever").map(|verifier| verifier.tolerance(tolerance).verify_at(header, body, now));
    match anybody {
        Ok(Err(VerifyError::Header(error))) => findings.push(format_finding(error)),
        Ok(Err(VerifyError::Time(error))) => findings.push(time_finding(&error.to_string(), header)),
        _ => {}
    }
    // The signature is checked as of the time in the header.
    let t = guess::time(header).unwrap_or(now);
    if strict.as_ref().is_ok_and(|verifier| verifier.verify_at(header, body, t).is_ok()) {
        return findings;
    }
    let guesses = guess::guess(secret, header, body);
    let explained = guesses.is_some() || findings.iter().any(|finding| finding.part == "format");
    findings.extend(guesses.into_iter().flatten());
    match strict {
        Err(error) if findings.iter().all(|finding| finding.part != "secret") => {
            findings.push(Finding::new("secret", error.to_string(), "use the whole string, and nothing around it"));
        }
        _ if !explained => findings.push(unexplained()),
        _ => {}
    }
    findings
}

fn unexplained() -> Finding {
    Finding::new(
        "signature",
        "no similar secret or body produces this signature",
        "check that the secret belongs to the webhook in X-Service-Webhook-Id (`l10n webhooks list` shows its last four \
         characters), and that the body is what was received, byte for byte, before anything parsed it",
    )
}

fn format_finding(error: HeaderError) -> Finding {
    Finding::new(
        "format",
        format!("the header {SIGNATURE_HEADER} {error}"),
        "use the value of the header as received: t=<unix seconds>,v1=<64 hexadecimal digits>",
    )
}

fn time_finding(problem: &str, header: &str) -> Finding {
    let t = guess::time(header).unwrap_or_default();
    if t > LAST_SECOND {
        return Finding::new("time", "`t` is in milliseconds", "sign and send `t` in whole seconds since 1970");
    }
    let fix = format!(
        "for a delivery that was received earlier, set its time with --at, such as --at {t}; otherwise correct the clock"
    );
    Finding::new("time", problem, fix)
}

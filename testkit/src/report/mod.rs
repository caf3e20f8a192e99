//! Reports of a run: text, JSON, a result for machines, JUnit, HTML, TAP and HAR, all of one [`Report`].

mod badge;
mod check_model;
mod curl;
mod diff;
mod difference;
mod facts;
mod har;
mod html;
mod junit;
mod model;
mod plain;
mod result;
mod tap;
mod text;

use std::io::Write as _;
use std::path::PathBuf;
use std::str::FromStr;

pub use self::badge::badge;
pub use self::check_model::{CheckReport, DeliveryReport, ExchangeReport, FailureReport, StatementReport};
pub use self::diff::diff;
pub use self::difference::{Difference, StatusChange};
pub use self::har::har;
pub use self::html::html;
pub use self::junit::junit;
pub use self::model::{Counts, MissingClaim, ProfileReport, Report, RequirementReport, SelectionReport, Specification};
pub use self::result::{ResultError, RunResult, SCHEMA};
pub use self::tap::tap;
pub use self::text::text;

/// A requested report: `html=report.html`; `-` is standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTarget {
    /// Its form.
    pub kind: ReportKind,
    /// Its path; `None` is standard output.
    pub path: Option<PathBuf>,
}

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    /// For people at a terminal.
    Text,
    /// Everything.
    Json,
    /// For machines: verdict, claims and statuses, without exchanges.
    Result,
    /// For CI systems.
    Junit,
    /// For people with a browser.
    Html,
    /// For harnesses that read the Test Anything Protocol.
    Tap,
    /// For tools that read HTTP archives: the exchanges.
    Har,
}

impl FromStr for ReportTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, path) = text.split_once('=').unwrap_or((text, "-"));
        let kind = match kind {
            "text" => ReportKind::Text,
            "json" => ReportKind::Json,
            "result" => ReportKind::Result,
            "junit" => ReportKind::Junit,
            "html" => ReportKind::Html,
            "tap" => ReportKind::Tap,
            "har" => ReportKind::Har,
            other => {
                return Err(format!("there is no report `{other}`, only text, json, result, junit, html, tap and har"));
            }
        };
        let path = Some(path).filter(|path| *path != "-").map(PathBuf::from);
        Ok(Self { kind, path })
    }
}

/// The reason why a report was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file cannot be written.
    #[error("cannot write the report {path}: {source}")]
    File {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Standard output is closed.
    #[error("cannot print the report: {0}")]
    Print(#[from] std::io::Error),
    /// The report cannot be made.
    #[error("cannot make the report: {0}")]
    Make(String),
}

/// Finds out whether a report can be written, without changing what is there.
///
/// # Errors
///
/// Returns an error if it cannot be written.
pub fn probe(target: &ReportTarget) -> Result<(), WriteError> {
    let Some(path) = &target.path else { return Ok(()) };
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).map_err(|source| WriteError::File { path: path.clone(), source })
}

/// Writes a report.
///
/// # Errors
///
/// Returns an error if it cannot be written.
pub fn write(report: &Report, target: &ReportTarget) -> Result<(), WriteError> {
    let text = match target.kind {
        ReportKind::Text => text(report),
        ReportKind::Json => {
            serde_json::to_string_pretty(report).map_err(|error| WriteError::Make(error.to_string()))? + "\n"
        }
        ReportKind::Result => {
            RunResult::of(report)
                .and_then(|result| serde_json::to_string_pretty(&result))
                .map_err(|error| WriteError::Make(error.to_string()))?
                + "\n"
        }
        ReportKind::Junit => junit(report).map_err(|error| WriteError::Make(error.to_string()))?,
        ReportKind::Html => html(report),
        ReportKind::Tap => tap(report),
        ReportKind::Har => har(report).to_string() + "\n",
    };
    match &target.path {
        Some(path) => std::fs::write(path, text).map_err(|source| WriteError::File { path: path.clone(), source }),
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes())?;
            Ok(out.flush()?)
        }
    }
}

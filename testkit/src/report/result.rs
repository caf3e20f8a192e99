//! The result of a run for machines: small enough to be published, and all that a badge or a comparison needs. It is a part of the
//! JSON report, so that both can be read as one; `result.schema.json` is its schema.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Report;

/// The JSON schema of a result.
pub const SCHEMA: &str = include_str!("../../result.schema.json");

/// The result of a run.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the schema explains them")]
pub struct RunResult {
    pub suite_version: String,
    pub specification: ResultSpecification,
    pub run_id: String,
    pub base_url: String,
    pub profile: ResultProfile,
    pub commit: Option<String>,
    pub selection: ResultSelection,
    pub started_at: String,
    pub ended_at: String,
    pub verdict: String,
    pub summary: String,
    pub long_times: Option<bool>,
    pub exit_code: u8,
    pub claims: Vec<String>,
    pub not_claimed: Vec<ResultMissingClaim>,
    pub expected: Vec<String>,
    pub counts: ResultCounts,
    pub requirements: Vec<ResultStatement>,
    pub checks: Vec<ResultCheck>,
}

/// The statements of a version of the suite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultSpecification {
    pub version: String,
    pub statements: usize,
    pub digest: String,
}

/// The profile of a run.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultProfile {
    pub name: Option<String>,
    pub digest: Option<String>,
}

/// The selection of a run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultSelection {
    pub level: String,
    pub only: Vec<String>,
}

/// A claim that was not made.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultMissingClaim {
    pub claim: String,
    pub of_core: bool,
    pub statements: Vec<String>,
    pub checks: Vec<String>,
}

/// Numbers of checks by status.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultCounts {
    pub pass: usize,
    pub fail: usize,
    pub warn: usize,
    pub error: usize,
    pub not_run: usize,
}

/// The status of a statement.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultStatement {
    pub id: String,
    pub level: String,
    pub status: Option<String>,
}

/// The status of a check.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultCheck {
    pub id: String,
    pub status: String,
    pub reason: Option<String>,
    pub expected: Option<String>,
}

/// The reason why a file is no result.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// It cannot be read.
    #[error("cannot read the result {0}: {1}")]
    Read(String, #[source] std::io::Error),
    /// It is no result.
    #[error("{0} is neither a result nor a JSON report of l10n-testkit: {1}")]
    Invalid(String, #[source] serde_json::Error),
}

impl RunResult {
    /// The result of a report.
    ///
    /// # Errors
    ///
    /// Returns an error if the report cannot be written as JSON.
    pub fn of(report: &Report) -> Result<Self, serde_json::Error> {
        serde_json::from_value(serde_json::to_value(report)?)
    }

    /// Reads a result, or the JSON report of a run.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is neither.
    pub fn read(path: &Path) -> Result<Self, ResultError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| ResultError::Read(name.clone(), error))?;
        serde_json::from_str(&text).map_err(|error| ResultError::Invalid(name, error))
    }
}

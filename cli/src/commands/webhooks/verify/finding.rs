//! A problem of a delivery.

use serde::Serialize;

/// A problem and its fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// `format`, `time`, `secret`, `body` or `signature`.
    pub(crate) part: &'static str,
    pub(crate) problem: String,
    pub(crate) fix: String,
}

impl Finding {
    pub(crate) fn new(part: &'static str, problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { part, problem: problem.into(), fix: fix.into() }
    }
}

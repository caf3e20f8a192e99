//! The record of one check.

use std::time::Duration;

use crate::check::Check;
use crate::outcome::{Failure, NotRun, Status};
use crate::receiver::Delivery;
use crate::wire::Exchange;

/// The result of one check.
#[derive(Debug, Clone)]
pub struct CheckRecord {
    /// The check.
    pub check: &'static Check,
    /// Its status.
    pub status: Status,
    /// The reason why it was not run.
    pub not_run: Option<NotRun>,
    /// The error of the suite.
    pub error: Option<String>,
    /// Deviations.
    pub failures: Vec<Failure>,
    /// Assertions that held.
    pub assertions: usize,
    /// Its duration.
    pub took: Duration,
    /// Its exchanges, in their order, with secrets as they were sent: reports redact them.
    pub exchanges: Vec<Exchange>,
    /// Deliveries to its endpoints, where it found a deviation.
    pub deliveries: Vec<Delivery>,
    /// Resources that it made and could not remove.
    pub clean_up: Vec<String>,
    /// The reason why its failure is accepted.
    pub expected: Option<String>,
}

impl CheckRecord {
    pub(crate) fn unreached(check: &'static Check) -> Self {
        Self {
            check,
            status: Status::NotRun,
            not_run: Some(NotRun::Unreached),
            error: None,
            failures: Vec::new(),
            assertions: 0,
            took: Duration::ZERO,
            exchanges: Vec::new(),
            deliveries: Vec::new(),
            clean_up: Vec::new(),
            expected: None,
        }
    }
}

//! Assertions: each that holds is counted, and each that does not says what was expected and seen.

use std::fmt::Debug;
use std::future::Future;

use super::context::Cx;
use super::text::brief;
use crate::outcome::{CheckResult, Failure, NotRun, Stop};

impl Cx {
    /// Asserts that `holds`. `expected` is a clause of the specification in words, `actual` what was seen.
    ///
    /// # Errors
    ///
    /// The deviation, where it does not hold.
    pub fn ensure(&self, holds: bool, expected: impl Into<String>, actual: impl Into<String>) -> CheckResult {
        self.assert_at(holds, expected, actual, None)
    }

    /// Asserts that `what` is what it should be.
    ///
    /// # Errors
    ///
    /// The deviation, where it is not.
    pub fn equal<T: PartialEq + Debug>(&self, what: &str, expected: &T, actual: &T) -> CheckResult {
        self.ensure(expected == actual, format!("{what}: {}", brief(expected)), format!("{what}: {}", brief(actual)))
    }

    /// Records that the valid form of the request was seen to work.
    ///
    /// # Errors
    ///
    /// Returns an error if it did not work: then the invalid form proves nothing.
    pub fn control(&self, holds: bool, what: &str) -> CheckResult {
        if holds {
            self.tally().controls += 1;
            return Ok(());
        }
        Err(Stop::NotRun(NotRun::PrerequisiteFailed(what.to_owned())))
    }

    /// Runs one of several cases: a deviation in it is recorded under its name, and the check goes on.
    ///
    /// # Errors
    ///
    /// Returns any error other than a deviation.
    pub async fn case(&self, name: impl Into<String>, case: impl Future<Output = CheckResult>) -> CheckResult {
        match case.await {
            Err(Stop::Fail(mut failure)) => {
                let name = name.into();
                failure.exchange = failure.exchange.or_else(|| self.last_exchange());
                failure.case = Some(match failure.case {
                    Some(inner) => format!("{name}: {inner}"),
                    None => name,
                });
                self.tally().failures.push(*failure);
                Ok(())
            }
            other => other,
        }
    }

    pub(super) fn assert_at(
        &self,
        holds: bool,
        expected: impl Into<String>,
        actual: impl Into<String>,
        exchange: Option<usize>,
    ) -> CheckResult {
        if holds {
            self.tally().assertions += 1;
            return Ok(());
        }
        let failure = Failure { case: None, expected: expected.into(), actual: actual.into(), exchange };
        Err(Stop::Fail(Box::new(failure)))
    }
}

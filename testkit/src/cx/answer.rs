//! The answer to a request, and assertions about it.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::context::Cx;
use super::text::shortened;
use crate::outcome::{CheckResult, Stop};
use crate::wire::Exchange;

/// An exchange whose answer a check looks at.
#[derive(Debug, Clone)]
pub struct CheckedExchange {
    pub(super) cx: Cx,
    pub(super) place: usize,
    /// The exchange.
    pub exchange: Exchange,
}

impl std::ops::Deref for CheckedExchange {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        &self.exchange
    }
}

impl CheckedExchange {
    /// Records a positive control: the answer is 2xx.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not: then the check establishes nothing.
    pub fn control(self, what: &str) -> Result<Self, Stop> {
        let ok = (200..300).contains(&self.status);
        self.cx.control(ok, &format!("{what} (answered {})", self.seen()))?;
        Ok(self)
    }

    /// Asserts the status.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub fn expect(self, status: u16) -> Result<Self, Stop> {
        self.ensure(self.status == status, format!("status {status}"))?;
        Ok(self)
    }

    /// Asserts a status out of a range: `200..=299`.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub fn expect_in(self, statuses: RangeInclusive<u16>) -> Result<Self, Stop> {
        self.ensure(statuses.contains(&self.status), format!("a status of {statuses:?}"))?;
        Ok(self)
    }

    /// Asserts an error of that status and code.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub fn expect_error(self, status: u16, code: &str) -> Result<Self, Stop> {
        self.ensure(self.is_error(status, code), format!("{status} {code}"))?;
        Ok(self)
    }

    /// Asserts one of several outcomes, each a status or `404 not_found`.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub fn expect_one_of(self, outcomes: &[&str]) -> Result<Self, Stop> {
        let outcome = self.outcome();
        let holds = outcomes.iter().any(|one| *one == outcome || *one == self.status.to_string());
        self.ensure(holds, format!("one of: {}", outcomes.join(", ")))?;
        Ok(self)
    }

    /// Asserts that `holds`; the deviation shows this exchange.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub fn ensure(&self, holds: bool, expected: impl Into<String>) -> CheckResult {
        self.cx.assert_at(holds, expected, self.seen(), Some(self.place))
    }

    /// Asserts that `holds`, saying what was seen; the deviation shows this exchange.
    ///
    /// # Errors
    ///
    /// The deviation.
    pub fn ensure_saw(&self, holds: bool, expected: impl Into<String>, actual: impl Into<String>) -> CheckResult {
        self.cx.assert_at(holds, expected, actual, Some(self.place))
    }

    /// The body as JSON.
    ///
    /// # Errors
    ///
    /// The deviation, where it is none.
    pub fn json(&self) -> Result<Value, Stop> {
        match serde_json::from_slice(&self.body) {
            Ok(value) => Ok(value),
            Err(error) => {
                self.ensure_saw(false, "a JSON body", format!("{error}: {}", self.seen()))?;
                Ok(Value::Null)
            }
        }
    }

    /// A member of the body that has to be a string that is not empty, by JSON pointer.
    ///
    /// # Errors
    ///
    /// The deviation, where it is none.
    pub fn text(&self, pointer: &str) -> Result<String, Stop> {
        let body = self.json()?;
        let text = body.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        self.ensure(!text.is_empty(), format!("a string at {pointer}"))?;
        Ok(text.to_owned())
    }

    fn seen(&self) -> String {
        format!("{} {}", self.outcome(), shortened(&String::from_utf8_lossy(&self.body)))
    }
}

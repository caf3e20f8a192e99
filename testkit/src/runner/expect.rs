//! Expectations: what is known not to pass, in a file beside the profile. An entry that does not come true, or has expired,
//! makes the run fail, so that the file never says more than the truth.

use std::path::Path;

use serde::Deserialize;

use super::check_record::CheckRecord;
use crate::checks;
use crate::outcome::{NotRun, Status};

/// One check that is known not to pass.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The id of the check.
    pub check: String,
    /// The expected outcome.
    pub status: Expected,
    /// With `not_run`: the reason, as reports write it (`slots`, `budget`, `clock`, …); left out: any.
    #[serde(default)]
    pub reason: Option<String>,
    /// The reason why it is accepted, for people: an issue, a plan.
    pub because: String,
    /// The last day on which it is accepted, `2027-01-31`; left out: for ever.
    #[serde(default)]
    pub until: Option<jiff::civil::Date>,
}

/// The outcome of a check that does not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// It fails.
    Fail,
    /// It warns.
    Warn,
    /// It is not run.
    NotRun,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectationsFile {
    #[serde(default)]
    expect: Vec<Expectation>,
}

/// The reason why a file of expectations cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ExpectError {
    /// It cannot be read.
    #[error("cannot read the expectations {0}: {1}")]
    Read(String, #[source] std::io::Error),
    /// It is none.
    #[error("the expectations {0}: {1}")]
    Invalid(String, String),
}

impl Expectation {
    /// Reads a file of `[[expect]]` entries.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read, or has unknown names.
    pub fn read(path: &Path) -> Result<Vec<Self>, ExpectError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| ExpectError::Read(name.clone(), error))?;
        Self::parse(&text).map_err(|error| ExpectError::Invalid(name, error))
    }

    fn parse(text: &str) -> Result<Vec<Self>, String> {
        let file: ExpectationsFile = toml::from_str(text).map_err(|error| error.to_string())?;
        for (place, one) in file.expect.iter().enumerate() {
            let id = &one.check;
            if !checks::all().iter().any(|check| check.id == id) {
                return Err(format!("there is no check `{id}`; `l10n-testkit list` prints them"));
            }
            if one.because.trim().is_empty() {
                return Err(format!("the entry of {id} has no reason: `because` is empty"));
            }
            if one.reason.is_some() && one.status != Expected::NotRun {
                return Err(format!(
                    "the entry of {id} has a `reason`, which is only allowed with status = \"not_run\""
                ));
            }
            if file.expect[..place].iter().any(|before| before.check == *id) {
                return Err(format!("{id} appears twice"));
            }
        }
        Ok(file.expect)
    }

    fn fits(&self, record: &CheckRecord) -> bool {
        match (self.status, &record.not_run) {
            (Expected::Fail, _) => record.status == Status::Fail,
            (Expected::Warn, _) => record.status == Status::Warn,
            (Expected::NotRun, Some(reason)) => {
                record.status == Status::NotRun && self.reason.as_deref().is_none_or(|wanted| wanted == reason.code())
            }
            (Expected::NotRun, None) => false,
        }
    }
}

/// Marks what is expected. Returns a sentence for each entry that is stale.
pub(super) fn apply(
    records: &mut [CheckRecord],
    expectations: &[Expectation],
    today: jiff::civil::Date,
) -> Vec<String> {
    let mut stale = Vec::new();
    for one in expectations {
        let Some(record) = records.iter_mut().find(|record| record.check.id == one.check) else { continue };
        if let Some(until) = one.until.filter(|until| *until < today) {
            stale.push(format!("{}: expected only until {until} ({})", one.check, one.because));
        } else if one.fits(record) {
            record.expected = Some(one.because.clone());
        } else if !unjudged(record) {
            let seen =
                record.not_run.as_ref().map_or(record.status.name().to_owned(), |reason| format!("NOT_RUN ({reason})"));
            stale.push(format!("{}: expected {:?}, but it ended as {seen} ({})", one.check, one.status, one.because));
        }
    }
    stale
}

/// Returns true if the run did not judge the expectation, because the check was left out.
fn unjudged(record: &CheckRecord) -> bool {
    use NotRun::{Aborted, Deadline, Filtered, Interrupted, Unreached};
    matches!(record.not_run, Some(Filtered | Aborted | Deadline | Interrupted | Unreached))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Expectation>, String> {
        Expectation::parse(text)
    }

    #[test]
    fn a_file_says_which_check_ends_how_and_why() {
        let text = "[[expect]]\ncheck = \"VER-1\"\nstatus = \"not_run\"\nreason = \"slots\"\nbecause = \"#7\"\nuntil = \"2027-01-31\"\n";
        let read = parse(text).unwrap();
        assert_eq!((read[0].status, read[0].until), (Expected::NotRun, Some(jiff::civil::date(2027, 1, 31))));
        assert!(parse("").unwrap().is_empty());
        for (broken, says) in [
            (text.replace("VER-1", "VER-0"), "there is no check `VER-0`"),
            (text.replace("#7", " "), "`because` is empty"),
            (text.replace("\"not_run\"", "\"fail\""), "`reason`"),
            (text.replace("status", "state"), "unknown field `state`"),
            (format!("{text}{text}"), "VER-1 appears twice"),
            (text.replace("because = \"#7\"\n", ""), "missing field `because`"),
        ] {
            let error = parse(&broken).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn what_does_not_come_true_is_stale() {
        let check = crate::checks::all()[0];
        let today = jiff::civil::date(2027, 1, 31);
        let one = |status, reason: Option<&str>, until| Expectation {
            check: check.id.to_owned(),
            status,
            reason: reason.map(str::to_owned),
            because: "#7".to_owned(),
            until,
        };
        let record = |status, not_run| CheckRecord { status, not_run, ..CheckRecord::unreached(check) };
        let slots = || Some(NotRun::Slots("5".to_owned()));
        let apply = |record: CheckRecord, expectation| {
            let mut records = [record];
            let stale = super::apply(&mut records, &[expectation], today);
            (records[0].expected.is_some(), stale.len())
        };
        assert_eq!(apply(record(Status::Fail, None), one(Expected::Fail, None, Some(today))), (true, 0));
        assert_eq!(apply(record(Status::Fail, None), one(Expected::Fail, None, today.yesterday().ok())), (false, 1));
        assert_eq!(apply(record(Status::Pass, None), one(Expected::Fail, None, None)), (false, 1));
        assert_eq!(apply(record(Status::Error, None), one(Expected::Fail, None, None)), (false, 1));
        assert_eq!(apply(record(Status::NotRun, slots()), one(Expected::Fail, None, None)), (false, 1));
        assert_eq!(apply(record(Status::NotRun, slots()), one(Expected::NotRun, None, None)), (true, 0));
        assert_eq!(apply(record(Status::NotRun, slots()), one(Expected::NotRun, Some("slots"), None)), (true, 0));
        assert_eq!(apply(record(Status::NotRun, slots()), one(Expected::NotRun, Some("clock"), None)), (false, 1));
        let filtered = record(Status::NotRun, Some(NotRun::Filtered));
        assert_eq!(apply(filtered, one(Expected::Fail, None, None)), (false, 0));
    }
}

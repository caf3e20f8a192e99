//! The label of a version whose publisher gives none: `v` and its number, or what the project says.

use super::request::LONGEST_VERSION_LABEL;
use crate::clock::Timestamp;

/// The place of the version's number in a project's label.
const NUMBER: &str = "{number}";
/// The place of the day of the publish (UTC).
const DATE: &str = "{date}";
/// Longest label of a project, in Unicode scalar values: with its places filled in it is still short enough.
pub(crate) const LONGEST_DEFAULT_LABEL: usize = 100;

/// The label of the version `seq`.
pub(super) fn of(pattern: Option<&str>, seq: i64, now: Timestamp) -> String {
    let Some(pattern) = pattern else { return format!("v{seq}") };
    let date: String = now.to_string().chars().take_while(|character| *character != 'T').collect();
    let label = pattern.replace(NUMBER, &seq.to_string()).replace(DATE, &date);
    label.chars().take(LONGEST_VERSION_LABEL).collect()
}

/// Checks a label of a project.
///
/// # Errors
///
/// A sentence that says what is wrong.
pub(in crate::domain) fn check(pattern: &str) -> Result<(), String> {
    if pattern.chars().count() > LONGEST_DEFAULT_LABEL || pattern.chars().any(char::is_control) {
        return Err(format!("The label must be a single line of at most {LONGEST_DEFAULT_LABEL} characters"));
    }
    let rest = pattern.replace(NUMBER, "").replace(DATE, "");
    if rest.contains(['{', '}']) {
        return Err(format!("In braces a label can have {NUMBER} and {DATE} only"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_the_number_and_the_day_of_its_version() {
        let now = Timestamp::from_millis(1_795_392_000_000);
        let day: String = now.to_string().chars().take(10).collect();
        assert_eq!(of(None, 7, now), "v7");
        assert_eq!(of(Some("Release {number} ({date})"), 7, now), format!("Release 7 ({day})"));
        assert_eq!(of(Some("nightly"), 7, now), "nightly");
        assert!(of(Some(&"{number}".repeat(12)), i64::MAX, now).chars().count() <= LONGEST_VERSION_LABEL);
    }

    #[test]
    fn a_label_is_one_short_line_with_known_places() {
        assert!(check("Fête {number} {date}").is_ok());
        for wrong in ["a\nb", "{version}", "{number", "}", &"é".repeat(101)] {
            check(wrong).unwrap_err();
        }
    }
}

//! Names in answers that this version does not know.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer};

/// Most characters of a name that is kept.
const LONGEST: usize = 64;

/// Most names that a process keeps.
const MOST: usize = 1_000;

static KEPT: Names = Names::new();

/// The name of a value that a later version of the API has added. Only an answer that is read makes one.
///
/// It is kept while the process runs, so that values of every set can be copied. A process keeps each name once, and at most
/// 1,000 names of at most 64 visible ASCII characters, which are safe to print: any other name reads as `unknown`.
///
/// ```
/// use l10n_api_types::translations::{JobStatus, Progress};
///
/// fn describe(status: JobStatus, progress: Progress) -> String {
///     match status {
///         JobStatus::Completed => "all translated".to_owned(),
///         JobStatus::Unknown(name) => format!("{name}: {} of {}", progress.done, progress.total),
///         _ => format!("{} of {}", progress.done, progress.total),
///     }
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaterName(&'static str);

impl LaterName {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Names that are never dropped.
struct Names(Mutex<BTreeSet<&'static str>>);

impl Names {
    const fn new() -> Self {
        Self(Mutex::new(BTreeSet::new()))
    }

    fn keep(&self, name: &str) -> LaterName {
        const BEYOND: LaterName = LaterName("unknown");
        if name.len() > LONGEST || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return BEYOND;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = kept.get(name).copied() {
            return LaterName(name);
        }
        if kept.len() >= MOST {
            return BEYOND;
        }
        let name: &'static str = Box::leak(Box::from(name));
        kept.insert(name);
        LaterName(name)
    }
}

impl fmt::Debug for LaterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl fmt::Display for LaterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A set of names to which later versions add. `string_enum!` implements it.
pub(crate) trait Later: FromStr {
    /// The value of a later version.
    fn later(name: LaterName) -> Self;
}

fn read<T: Later>(name: &str) -> T {
    name.parse().unwrap_or_else(|_| T::later(KEPT.keep(name)))
}

/// Reads a value of an answer.
pub(crate) fn one<'de, T: Later, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer).map(|name| read(&name))
}

/// Reads a value of an answer that may be null.
pub(crate) fn maybe<'de, T: Later, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::<String>::deserialize(deserializer).map(|name| name.map(|name| read(&name)))
}

/// Reads a list of values of an answer.
pub(crate) fn many<'de, T: Later, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Vec::<String>::deserialize(deserializer).map(|names| names.iter().map(|name| read(name)).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Check;

    /// ENV-12: an answer may have a name of a later version; a request may not, nor a user's input.
    #[test]
    fn a_name_of_a_later_version_is_kept_where_an_answer_is_read() {
        for known in Check::ALL {
            assert_eq!(one::<Check, _>(json!(known)).unwrap(), *known);
        }
        let later: Check = one(json!("tone")).unwrap();
        let Check::Unknown(name) = later else { panic!("{later:?}") };
        assert_eq!((name.as_str(), later.to_string(), json!(later)), ("tone", "tone".to_owned(), json!("tone")));
        assert_eq!(one::<Check, _>(json!("tone")).unwrap(), later);
        assert_ne!(one::<Check, _>(json!("unknown")).unwrap(), later);
        assert!("tone".parse::<Check>().is_err() && !Check::ALL.contains(&later));
        let refused = serde_json::from_value::<Check>(json!("tone")).unwrap_err().to_string();
        assert!(refused.starts_with("unknown variant `tone`, expected one of `placeholders`"), "{refused}");
        assert!(!refused.contains("Unknown"), "{refused}");
        assert!(one::<Check, _>(json!(7)).is_err() && one::<Check, _>(json!(null)).is_err());
    }

    #[test]
    fn options_and_lists_are_read_alike() {
        let later: Check = one(json!("tone")).unwrap();
        assert_eq!(maybe::<Check, _>(json!(null)).unwrap(), None);
        assert_eq!(maybe::<Check, _>(json!("tone")).unwrap(), Some(later));
        assert_eq!(many::<Check, _>(json!(["tags", "tone"])).unwrap(), [Check::Tags, later]);
    }

    /// A server that invents names for ever costs its client no more than this.
    #[test]
    fn a_bounded_number_of_short_printable_names_is_kept() {
        let names = Names::new();
        assert_eq!(names.keep(&"x".repeat(LONGEST)).as_str().len(), LONGEST);
        for other in ["x".repeat(LONGEST + 1), "\u{1b}[2J".to_owned(), "two words".to_owned()] {
            assert_eq!(names.keep(&other).as_str(), "unknown");
        }
        let invent = |number: usize| format!("invented-{number}");
        let kept: BTreeSet<_> = (0..2 * MOST).map(|number| names.keep(&invent(number))).collect();
        assert_eq!(kept.len(), MOST, "all but one of them, and `unknown`");
        assert_eq!((names.keep(&invent(0)).as_str(), names.keep(&invent(MOST)).as_str()), ("invented-0", "unknown"));
    }
}

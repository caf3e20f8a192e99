//! The options of a run.

use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::expect::Expectation;
use super::observer::Observer;
use crate::check::Check;
use crate::requirement::Level;
use crate::session::Limits;

/// The options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The selected checks.
    pub selection: Selection,
    /// Time limit for an answer and for other waits, before the multiplier.
    pub timeout: Duration,
    /// Stretches every time of the suite's own, for slow deployments.
    pub timeout_multiplier: u32,
    /// The whole run's time; checks that have not begun by then do not.
    pub deadline: Option<Duration>,
    /// Nothing is written: for deployments in use.
    pub read_only: bool,
    /// Daily budgets may be used up.
    pub burn_budgets: bool,
    /// Faults of the surroundings are looked for before the first check.
    pub preflight: bool,
    /// True if the webhooks of the checks are kept.
    pub keep: bool,
    /// Publishes and restores that the run may spend in each project.
    pub publishes: u32,
    /// The path of the journal; when left out: the folder `l10n-testkit` of the user's state.
    pub journal: Option<PathBuf>,
    /// The folder for a log of everything that goes over the wire.
    pub trace: Option<PathBuf>,
    /// Checks that run at once at most; left out: one for each lane.
    pub jobs: Option<usize>,
    /// Requests that each project gets in a minute.
    pub requests_per_minute: usize,
    /// After so many connections in a row that fail, the run is given up; 0: never.
    pub give_up_after: u32,
    /// The checks' order, where it does not matter, is shuffled by this seed.
    pub shuffle: Option<u64>,
    /// Known failures.
    pub expect: Vec<Expectation>,
    /// True if a selection that passes is enough.
    pub allow_partial: bool,
    /// The run's origin, for the reports.
    pub origin: Origin,
    /// Once it is cancelled, checks under way are stopped, what they made is removed, and the run ends.
    pub interrupt: CancellationToken,
    /// Is told what happens.
    pub observer: Observer,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            selection: Selection::default(),
            timeout: Duration::from_secs(30),
            timeout_multiplier: 1,
            deadline: None,
            read_only: false,
            burn_budgets: false,
            preflight: true,
            keep: false,
            publishes: 20,
            journal: None,
            trace: None,
            jobs: None,
            requests_per_minute: 100,
            give_up_after: 3,
            shuffle: None,
            expect: Vec::new(),
            allow_partial: false,
            origin: Origin::default(),
            interrupt: CancellationToken::new(),
            observer: Observer::default(),
        }
    }
}

impl Options {
    /// Time limit for an answer and for other waits.
    #[must_use]
    pub fn patience(&self) -> Duration {
        self.timeout * self.timeout_multiplier
    }

    /// The limits of what checks may do.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            patience: self.patience(),
            read_only: self.read_only,
            burn_budgets: self.burn_budgets,
            requests_per_minute: self.requests_per_minute,
            give_up_after: self.give_up_after,
        }
    }
}

/// The origin of a run, as its reports state it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The name of the profile's file.
    pub profile: Option<String>,
    /// The SHA-256 of its text, in hexadecimal digits.
    pub profile_digest: Option<String>,
    /// The commit or version of the deployment.
    pub commit: Option<String>,
    /// The command that runs checks like this run; ` --only ID` follows.
    pub command: Option<String>,
}

/// The level up to which checks are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Core alone.
    Core,
    /// Also extended.
    Extended,
    /// Also recommendations.
    All,
}

impl Depth {
    /// As `--level` takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Extended => "extended",
            Self::All => "all",
        }
    }
}

/// A selection of checks.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Those of these levels; empty: of every level.
    pub levels: Vec<Level>,
    /// Those whose id, or an id that they cover, is one of these; `*` stands for anything. Empty: all.
    pub only: Vec<String>,
}

/// The reason why a selection is empty.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// A pattern fits no check.
    #[error("no check has or covers an id that matches `{0}`{1}")]
    Unknown(String, String),
    /// Nothing is left.
    #[error("the selection contains no check to run")]
    Empty,
}

impl Selection {
    /// The level up to which it goes.
    #[must_use]
    pub fn depth(&self) -> Depth {
        match self.levels.as_slice() {
            [] => Depth::All,
            levels if levels.contains(&Level::Advisory) => Depth::All,
            levels if levels.contains(&Level::Extended) => Depth::Extended,
            _ => Depth::Core,
        }
    }

    /// Returns true if it includes the check.
    #[must_use]
    pub fn takes(&self, check: &Check) -> bool {
        let level = self.levels.is_empty() || self.levels.contains(&check.level());
        level && (self.only.is_empty() || self.only.iter().any(|pattern| fits(pattern, check)))
    }

    /// Checks that the selection matches something.
    ///
    /// # Errors
    ///
    /// Returns an error if a pattern matches nothing, or nothing is selected.
    pub fn validate(&self, checks: &[&'static Check]) -> Result<(), SelectionError> {
        if let Some(pattern) = self.only.iter().find(|pattern| !checks.iter().any(|check| fits(pattern, check))) {
            return Err(SelectionError::Unknown(pattern.clone(), meant(pattern, checks)));
        }
        if checks.iter().any(|check| self.takes(check)) { Ok(()) } else { Err(SelectionError::Empty) }
    }
}

/// The known id that is most like one that is not.
fn meant(pattern: &str, checks: &[&'static Check]) -> String {
    let known = checks.iter().flat_map(|check| std::iter::once(&check.id).chain(check.covers));
    let wanted = pattern.to_ascii_uppercase();
    match nearest(&wanted, known.copied()) {
        Some(id) => format!("; did you mean `{id}`?"),
        None => "; `l10n-testkit list` prints them".to_owned(),
    }
}

/// The name that was probably meant.
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.min_by_key(|id| strsim::damerau_levenshtein(wanted, id))?;
    (strsim::damerau_levenshtein(wanted, near) <= 2).then_some(near)
}

fn fits(pattern: &str, check: &Check) -> bool {
    std::iter::once(&check.id).chain(check.covers).any(|id| like(pattern, id))
}

/// Returns true if `text` matches `pattern`, in which `*` stands for anything.
pub(crate) fn like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text
            .strip_prefix(head)
            .is_some_and(|rest| (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| like(tail, rest)))),
    }
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text) in
            [("WH-*", "WH-PA-4"), ("*", "X"), ("A-1", "A-1"), ("*-4", "WH-PA-4"), ("W*A*4", "WH-PA-4")]
        {
            assert!(like(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("WH-*", "DEL-1"), ("A-1", "A-10"), ("*-5", "WH-PA-4"), ("", "A")] {
            assert!(!like(pattern, text), "{pattern} {text}");
        }
    }
}

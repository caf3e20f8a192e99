//! Facts about all tables of the suite: ids that never vanish, and the matrix of statements, checks and deviations.

mod lock;
mod matrix;
#[cfg(test)]
mod tests;

use crate::check::Check;
use crate::mutants::{self, Mutant};
use crate::requirement::Level;

pub use self::lock::{LOCKED, locked};
pub use self::matrix::matrix;

/// The checks that cover a statement.
#[must_use]
pub fn checks_of(requirement: &str) -> Vec<&'static Check> {
    crate::checks::all().into_iter().filter(|check| check.covers.contains(&requirement)).collect()
}

/// The deviations that a check has to find.
#[must_use]
pub fn mutants_of(check: &str) -> Vec<&'static Mutant> {
    mutants::all().into_iter().filter(|mutant| mutant.killed_by.contains(&check)).collect()
}

/// Returns true if a statement of that level can be checked from outside.
#[must_use]
pub fn is_checked_from_outside(level: Level) -> bool {
    matches!(level, Level::Core | Level::Extended | Level::Advisory)
}

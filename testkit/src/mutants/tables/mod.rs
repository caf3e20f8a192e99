//! The deviations, a table for each group of statements.

mod versioning;

use super::Mutant;

/// Every table. A module that is not named here plants nothing.
pub(super) const TABLES: &[&[Mutant]] = &[versioning::MUTANTS];

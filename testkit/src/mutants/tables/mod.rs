//! The deviations, a table for each group of statements.

mod dry_run;
mod errors;
mod flows;
mod limits;
mod operations;
mod versioning;

use super::Mutant;

/// Every table. A module that is not named here plants nothing.
pub(super) const TABLES: &[&[Mutant]] =
    &[errors::MUTANTS, limits::MUTANTS, versioning::MUTANTS, dry_run::MUTANTS, operations::MUTANTS, flows::MUTANTS];

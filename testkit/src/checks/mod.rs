//! The checks: one table for each group of statements, and one list that names every table.

mod versioning;

use crate::check::Check;

/// Every table, by the group of its ids. A module that is not named here is not part of the suite.
const TABLES: &[(&str, &[Check])] = &[("VER", versioning::CHECKS)];

/// Every check of the suite.
#[must_use]
pub fn all() -> Vec<&'static Check> {
    TABLES.iter().flat_map(|(_, table)| *table).collect()
}

//! Checks of what a project is.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[Coverage {
    endpoint: "meta::read",
    requirements: &["SCOPE-R-2", "AUTH-6", "AUTH-7", "AUTH-8", "AUTH-10", "ERR-403-1", "FN-6"],
}];

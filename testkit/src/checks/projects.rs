//! Checks of finding a project.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[Coverage {
    endpoint: "projects::resolve",
    requirements: &["RES-1", "RES-2", "RES-3", "RES-4", "SCOPE-ANY-4", "LIM-REQ-9"],
}];

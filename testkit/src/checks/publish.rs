//! Checks of publishing.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[Coverage {
    endpoint: "publish::create",
    requirements: &["SCOPE-P-1", "DRY-5", "AUTH-11", "AUTH-13", "VER-3", "FN-2", "LIM-DAY-1"],
}];

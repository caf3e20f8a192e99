//! Checks of published versions.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[
    Coverage { endpoint: "versions::list", requirements: &["VER-3"] },
    Coverage {
        endpoint: "versions::restore",
        requirements: &["SCOPE-P-2", "DRY-5", "AUTH-11", "ERR-404-1", "ERR-404-3", "FN-3", "LIM-DAY-2"],
    },
];

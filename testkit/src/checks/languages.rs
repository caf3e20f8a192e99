//! Checks of languages.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[Coverage {
    endpoint: "languages::add",
    requirements: &["SCOPE-W-1", "DRY-5", "ERR-402-3", "ERR-400-1", "ERR-400-2", "ERR-400-3", "ERR-415-1"],
}];

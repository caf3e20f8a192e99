//! Checks of output formats.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] =
    &[Coverage { endpoint: "output_formats::set", requirements: &["SCOPE-W-2", "DRY-5"] }];

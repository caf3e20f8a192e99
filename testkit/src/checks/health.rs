//! Checks of health.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] =
    &[Coverage { endpoint: "health::read", requirements: &["CONV-1", "PUB-1", "PUB-3", "LIM-REQ-9"] }];

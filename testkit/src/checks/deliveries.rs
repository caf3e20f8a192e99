//! Checks of the delivery log.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[
    Coverage { endpoint: "deliveries::list", requirements: &["WH-DL-1", "WH-DL-2", "WH-DL-3", "WH-PA-8", "SCOPE-P-3"] },
    Coverage {
        endpoint: "deliveries::resend",
        requirements: &["WH-RS-1", "WH-RS-2", "WH-RS-3", "WH-RS-4", "WH-RS-5", "WH-PA-8", "SCOPE-P-3"],
    },
];

//! Checks of public delivery.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[
    Coverage { endpoint: "delivery::manifest", requirements: &["PUB-2", "PUB-3", "PUB-4", "LIM-REQ-5", "FN-3"] },
    Coverage { endpoint: "delivery::named_manifest", requirements: &["PUB-2", "LIM-REQ-8"] },
    Coverage { endpoint: "delivery::bundle", requirements: &["PUB-2", "PUB-4", "FN-3"] },
    Coverage { endpoint: "delivery::named_bundle", requirements: &["PUB-2", "LIM-REQ-8"] },
];

//! Checks of registering, pricing, translating and reading strings.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[
    Coverage {
        endpoint: "translations::translate",
        requirements: &[
            "SCOPE-T-1",
            "DRY-1",
            "DRY-2",
            "DRY-4a",
            "DRY-4b",
            "DRY-4c",
            "DRY-4d",
            "DRY-4e",
            "DRY-7",
            "AUTH-11",
            "ERR-402-1",
            "ERR-402-2",
            "ERR-402-4",
            "ERR-402-5",
            "RES-12",
            "RES-13",
            "FN-1",
            "LIM-BODY-1",
        ],
    },
    Coverage {
        endpoint: "translations::sync",
        requirements: &["SCOPE-T-2", "DRY-2", "DRY-4a", "DRY-4b", "DRY-4c", "AUTH-11", "LIM-BODY-2", "LIM-BODY-3"],
    },
    Coverage {
        endpoint: "translations::get",
        requirements: &[
            "SCOPE-R-1",
            "SCOPE-TR-1",
            "SCOPE-TR-2",
            "SCOPE-TR-3",
            "SCOPE-TR-4",
            "SCOPE-TR-5",
            "ERR-404-3",
            "ERR-404-5",
            "FN-1",
            "FN-2",
        ],
    },
];

//! Checks of keys, authentication and what holds for every route.

use super::Coverage;

/// The requirements that these checks cover, by endpoint.
pub const COVERAGE: &[Coverage] = &[Coverage {
    endpoint: "credential::read",
    requirements: &[
        "CONV-1",
        "CONV-4",
        "CONV-8",
        "RES-5",
        "RES-6",
        "RES-7",
        "RES-8",
        "RES-9",
        "RES-10",
        "SCOPE-ANY-3",
        "AUTH-1",
        "AUTH-2",
        "AUTH-3",
        "AUTH-4",
        "AUTH-5",
        "AUTH-9",
        "AUTH-12",
        "AUTH-14",
        "AUTH-15",
        "AUTH-16",
        "ERR-401-1",
        "ERR-405-1",
        "LIM-REQ-1",
        "LIM-REQ-2",
        "LIM-REQ-3",
        "LIM-REQ-4",
        "LIM-REQ-7",
        "LIM-REQ-10",
        "LIM-REQ-11",
        "VER-1",
    ],
}];

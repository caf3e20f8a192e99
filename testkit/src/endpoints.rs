//! The statements about each endpoint: a new endpoint is added here first.

/// The statements about an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// `resource::verb`.
    pub endpoint: &'static str,
    /// Ids of numbered requirements.
    pub requirements: &'static [&'static str],
}

/// Every endpoint of the API.
pub const ENDPOINTS: &[Coverage] = &[
    Coverage {
        endpoint: "capture::create",
        requirements: &["SCOPE-C-1", "DRY-5", "LIM-DAY-3", "LIM-DAY-7", "ERR-429-2", "FN-5"],
    },
    Coverage {
        endpoint: "content::create",
        requirements: &["SCOPE-W-1..4", "DRY-5", "LIM-BODY-4", "LIM-DAY-4", "LIM-DAY-7", "ERR-429-2", "FN-4", "ADD-3"],
    },
    Coverage { endpoint: "content::list", requirements: &["SCOPE-R-1..5", "CP-9", "FN-6"] },
    Coverage { endpoint: "content::read", requirements: &["SCOPE-R-1..5", "CP-7", "ERR-404-4", "FN-4"] },
    Coverage {
        endpoint: "content::run",
        requirements: &["SCOPE-T-1..3", "DRY-3", "ERR-404-4", "LIM-BODY-5", "LIM-DAY-5", "ERR-429-2", "FN-4"],
    },
    Coverage {
        endpoint: "content::update",
        requirements: &["SCOPE-W-1..4", "DRY-5", "ERR-404-4", "LIM-BODY-4", "LIM-DAY-4", "ERR-429-2", "FN-4"],
    },
    Coverage {
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
            "SCOPE-ANY-1..4",
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
            "ADD-5",
        ],
    },
    Coverage { endpoint: "deliveries::list", requirements: &["WH-DL-1", "WH-DL-2", "WH-DL-3", "WH-PA-8", "SCOPE-P-3"] },
    Coverage {
        endpoint: "deliveries::resend",
        requirements: &["WH-RS-1", "WH-RS-2", "WH-RS-3", "WH-RS-4", "WH-RS-5", "WH-PA-8", "SCOPE-P-3"],
    },
    Coverage {
        endpoint: "delivery::bundle",
        requirements: &["PUB-2", "PUB-4", "FN-3", "ADD-6", "ADD-7", "ADD-8", "ADD-9", "ADD-13", "ADD-15", "ADD-22"],
    },
    Coverage {
        endpoint: "delivery::manifest",
        requirements: &[
            "PUB-2",
            "PUB-3",
            "PUB-4",
            "LIM-REQ-5",
            "FN-3",
            "ADD-6",
            "ADD-7",
            "ADD-8",
            "ADD-9",
            "ADD-15",
            "ADD-22",
        ],
    },
    Coverage { endpoint: "delivery::named_bundle", requirements: &["PUB-2", "LIM-REQ-8", "ADD-7", "ADD-8", "ADD-9"] },
    Coverage { endpoint: "delivery::named_manifest", requirements: &["PUB-2", "LIM-REQ-8", "ADD-7", "ADD-8", "ADD-9"] },
    Coverage { endpoint: "glossary::list", requirements: &["ADD-18"] },
    Coverage { endpoint: "glossary::set", requirements: &["ADD-18"] },
    Coverage { endpoint: "health::read", requirements: &["CONV-1", "PUB-1", "PUB-3", "LIM-REQ-9"] },
    Coverage {
        endpoint: "languages::add",
        requirements: &["SCOPE-W-1..4", "DRY-5", "ERR-402-3", "ERR-400-1", "ERR-400-2", "ERR-400-3", "ERR-415-1"],
    },
    Coverage { endpoint: "memory::export", requirements: &["ADD-21"] },
    Coverage { endpoint: "memory::import", requirements: &["ADD-21"] },
    Coverage { endpoint: "memory::suggest", requirements: &["ADD-20"] },
    Coverage {
        endpoint: "meta::read",
        requirements: &["SCOPE-R-1..5", "AUTH-6", "AUTH-7", "AUTH-8", "AUTH-10", "ERR-403-1", "FN-6"],
    },
    Coverage { endpoint: "output_formats::set", requirements: &["SCOPE-W-1..4", "DRY-5"] },
    Coverage { endpoint: "pending_code_changes::list", requirements: &["SCOPE-R-1..5", "FN-6"] },
    Coverage {
        endpoint: "projects::resolve",
        requirements: &["RES-1", "RES-2", "RES-3", "RES-4", "SCOPE-ANY-1..4", "LIM-REQ-9"],
    },
    Coverage {
        endpoint: "publish::create",
        requirements: &["SCOPE-P-1..2", "DRY-5", "AUTH-11", "AUTH-13", "VER-3", "FN-2", "LIM-DAY-1"],
    },
    Coverage {
        endpoint: "translations::get",
        requirements: &[
            "SCOPE-R-1..5",
            "SCOPE-TR-1",
            "SCOPE-TR-2",
            "SCOPE-TR-3",
            "SCOPE-TR-4",
            "SCOPE-TR-5",
            "ERR-404-3",
            "ERR-404-5",
            "FN-1",
            "FN-2",
            "ADD-16",
        ],
    },
    Coverage {
        endpoint: "translations::sync",
        requirements: &[
            "SCOPE-T-1..3",
            "DRY-2",
            "DRY-4a",
            "DRY-4b",
            "DRY-4c",
            "AUTH-11",
            "LIM-BODY-2",
            "LIM-BODY-3",
            "ADD-1",
            "ADD-12",
        ],
    },
    Coverage {
        endpoint: "translations::translate",
        requirements: &[
            "SCOPE-T-1..3",
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
            "ADD-10",
            "ADD-11",
        ],
    },
    Coverage { endpoint: "unpublished_changes::list", requirements: &["ADD-17"] },
    Coverage { endpoint: "versions::list", requirements: &["VER-3", "ADD-2"] },
    Coverage {
        endpoint: "versions::restore",
        requirements: &["SCOPE-P-1..2", "DRY-5", "AUTH-11", "ERR-404-1", "ERR-404-3", "FN-3", "LIM-DAY-2", "ADD-2"],
    },
    Coverage {
        endpoint: "webhooks::create",
        requirements: &[
            "WH-CR-1",
            "WH-CR-2",
            "WH-CR-3",
            "WH-CR-4",
            "WH-CR-5",
            "WH-CR-6",
            "WH-CR-7",
            "WH-CR-8",
            "WH-F-1",
            "WH-F-2",
            "WH-F-3",
            "WH-F-4",
            "WH-F-5",
            "WH-F-10",
            "WH-LIM-1",
            "WH-LIM-2",
            "WH-LIM-3",
            "WH-LIM-4",
            "WH-URL-1",
            "WH-URL-2",
            "WH-URL-3",
            "WH-URL-4",
            "WH-URL-5",
            "WH-URL-6",
            "WH-URL-7",
            "WH-URL-8",
            "WH-URL-9",
            "WH-URL-14",
            "WH-URL-15",
            "WH-URL-16",
            "SCOPE-P-3",
            "DRY-6",
        ],
    },
    Coverage { endpoint: "webhooks::delete", requirements: &["WH-DE-1", "WH-DE-2", "WH-PA-8", "SCOPE-P-3"] },
    Coverage { endpoint: "webhooks::list", requirements: &["WH-LS-1", "WH-LS-2", "WH-F-6", "WH-F-7", "SCOPE-P-3"] },
    Coverage {
        endpoint: "webhooks::rotate_secret",
        requirements: &["WH-RO-1", "WH-RO-2", "WH-RO-3", "WH-RO-4", "WH-F-9", "WH-PA-8", "SCOPE-P-3"],
    },
    Coverage {
        endpoint: "webhooks::update",
        requirements: &[
            "WH-PA-1",
            "WH-PA-2",
            "WH-PA-3",
            "WH-PA-4",
            "WH-PA-5",
            "WH-PA-6",
            "WH-PA-7",
            "WH-PA-8",
            "WH-F-8",
            "DEL-13",
            "SCOPE-P-3",
        ],
    },
    Coverage { endpoint: "requests::read", requirements: &["SCOPE-ANY-1..4", "OPS-3"] },
    Coverage {
        endpoint: "operations::create",
        requirements: &["SCOPE-T-4", "SCOPE-P-4", "OPS-1", "OPS-4", "LIM-REQ-6", "ADD-4"],
    },
    Coverage {
        endpoint: "operations::read",
        requirements: &["SCOPE-ANY-1..4", "OPS-2", "OPS-3", "OPS-4", "LIM-REQ-6", "ADD-14"],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::requirement::requirement;

    #[test]
    fn every_endpoint_is_named_once_and_its_statements_exist() {
        let names: Vec<_> = ENDPOINTS.iter().map(|entry| entry.endpoint).collect();
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
        for entry in ENDPOINTS {
            assert!(!entry.requirements.is_empty(), "{entry:?}");
            assert!(entry.requirements.iter().all(|id| requirement(id).is_some()), "{entry:?}");
        }
    }
}

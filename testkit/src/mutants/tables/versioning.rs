//! Versioning (§9).

use crate::mutants::{Fate, Mutant, Plant};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "schema_version_2",
        breaks: "VER-2",
        says: "events carry schemaVersion 2",
        killed_by: &["VER-2"],
        plant: Plant::Delivery(|relayed| {
            let body = String::from_utf8_lossy(&relayed.body).replace("\"schemaVersion\":1", "\"schemaVersion\":2");
            relayed.body = body.into();
            let t = relayed.timestamp();
            let secrets = relayed.secrets.clone();
            let secrets: Vec<&[u8]> = secrets.iter().map(|secret| secret.as_bytes()).collect();
            let message = relayed.message(t);
            relayed.sign(t, &secrets, &message);
            Fate::Forward
        }),
    },
    Mutant {
        id: "version_id_integer",
        breaks: "VER-3",
        says: "POST /publish answers an integer as versionId",
        killed_by: &["VER-3"],
        plant: Plant::Answer(|request, answer, _| {
            if request.under("/publish") && answer.ok() {
                answer.edit(|body| body["versionId"] = 7.into());
            }
        }),
    },
];

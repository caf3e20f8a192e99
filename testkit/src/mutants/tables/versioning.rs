//! Versioning (§9).

use super::edit::event;
use crate::mutants::{Mutant, Plant};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "schema_version_2",
        breaks: "VER-2",
        says: "events carry schemaVersion 2",
        killed_by: &["VER-2"],
        plant: Plant::Delivery(|relayed| event(relayed, |event, _| event["schemaVersion"] = 2.into())),
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

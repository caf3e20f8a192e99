//! Versioning (§9).

use http::Method;

use super::edit::event;
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    instead "credential_not_under_v1" breaks "VER-1": "a route is not served under v1",
        |request, _| request.is(&Method::GET, "/credential").then(|| ApiAnswer::error(404, "not_found"));
    delivery "schema_version_2" breaks "VER-2": "events carry schemaVersion 2",
        |relayed| event(relayed, |event, _| event["schemaVersion"] = 2.into());
    answer "version_id_integer" breaks "VER-3": "POST /publish answers an integer as versionId",
        |request, answer, _| if request.under("/publish") && answer.ok() {
            answer.edit(|body| body["versionId"] = 7.into());
        };
};

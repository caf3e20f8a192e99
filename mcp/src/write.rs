//! Writes whose answer was lost: the receipt is read first, and the truth is told.

use std::time::Duration;

use l10n_client::api::Rerun;
use l10n_client::{Error, Outcome, Project};

use crate::failure::{Failure, FailureFacts};
use crate::what_to_do;

/// Time that a write gets beyond that of a read.
pub(crate) const EXTRA_TIME: Duration = Duration::from_secs(15);

/// Longest wait for a write that is still running.
const RECEIPT: Duration = Duration::from_secs(10);

/// Tells a failed write, with its outcome where the answer was lost.
pub(crate) async fn failed(project: &Project, error: Error) -> Failure {
    let mut told = FailureFacts::from(&error);
    if !error.may_have_been_carried_out() {
        return told.into();
    }
    // It classifies its whole input again, so that a second run costs nothing for what the first one did.
    let is_rerun = error.endpoint().is_some_and(|endpoint| endpoint.rerun == Rerun::FromSources);
    if is_rerun {
        told.what_to_do = what_to_do::RERUN.to_owned();
    }
    let (outcome, advice) = match project.outcome_of_failed_within(&error, RECEIPT).await {
        Ok(Some(Outcome::Landed(receipt))) => {
            if let Some(resource) = &receipt.resource {
                told = told.detail("kind", resource.kind.clone()).detail("id", resource.id.clone());
            }
            told.request_id = Some(receipt.request_id.to_string());
            ("landed", "The write was carried out although its answer was lost. Do not repeat it: read its result.")
        }
        Ok(Some(Outcome::NotLanded(_))) => ("not_landed", "Nothing was written. Call again."),
        Ok(Some(Outcome::Running(receipt))) => {
            told.request_id = Some(receipt.request_id.to_string());
            (
                "running",
                "The write is still running. Look at its outcome before you repeat it (get_receipt, get_project).",
            )
        }
        _ => ("unknown", "The write may have been carried out. Look at the state (get_project) before you repeat it."),
    };
    if !is_rerun {
        told.what_to_do = advice.to_owned();
    }
    told.detail("outcome", outcome).into()
}

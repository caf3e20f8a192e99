//! The way on for a call that a person may have to approve.

use l10n_client::api::OperationId;

use super::needs::PendingQuestion;

/// The way on.
#[derive(Debug)]
pub(crate) enum ApprovalOutcome {
    /// Run it, with this approval if there is one.
    Run(Option<OperationId>),
    /// A person has not decided yet.
    Ask(PendingQuestion),
}

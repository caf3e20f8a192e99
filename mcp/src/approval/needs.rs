//! The two ways of asking: the client shows the person a link, or the model does.

use l10n_client::api::operations::Operation;
use rmcp::model::{ElicitRequest, ElicitRequestParams, InputRequest, InputRequests, InputRequiredResult};
use schemars::JsonSchema;
use serde::Serialize;

use super::operation_words::work;
use crate::call::Call;
use crate::seal::CallState;

/// Most rounds in which a client asks the person; then the model does.
const MOST_ROUNDS: u32 = 5;

/// The name of the question in a client's answer.
pub(super) const QUESTION: &str = "approval";

/// A question that is under way.
#[derive(Debug)]
pub(crate) enum PendingQuestion {
    /// The client asks the person and calls again.
    Person(Box<InputRequiredResult>),
    /// The model tells the person and calls again.
    Model(Box<NeedsApproval>),
}

/// The result of a call that a person has to approve first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct NeedsApproval {
    /// `needs_approval`, or `declined` in the client.
    pub(crate) status: &'static str,
    pub(crate) operation_id: String,
    pub(crate) approval_url: String,
    pub(crate) allows: String,
    pub(crate) expires_at: String,
    pub(crate) next: String,
}

impl NeedsApproval {
    fn of(call: &Call<'_>, operation: &Operation, status: &'static str) -> Self {
        let next = match status {
            "declined" => "The person declined in this client. Nothing was done. The request stays open, and anyone \
                 with the role may still decide; ask the person before you call again."
                .to_owned(),
            _ => format!(
                "Show the person approval_url and wait until they say that they have decided. Then call {} again with the \
                 same arguments and operation_id.",
                call.tool
            ),
        };
        Self {
            status,
            operation_id: operation.operation_id.to_string(),
            approval_url: operation.approval_url.clone(),
            allows: work(operation, None),
            expires_at: operation.expires_at.to_string(),
            next,
        }
    }

    /// The person declined in the client. The operation stays open.
    pub(super) fn declined(call: &Call<'_>, operation: &Operation) -> Self {
        Self::of(call, operation, "declined")
    }

    pub(crate) fn sentence(&self) -> String {
        format!("{}: {}. {}", self.status, self.allows, self.approval_url)
    }
}

/// Asks by way of the client where it can, at most five times; then by way of the model.
pub(super) fn asked(call: &Call<'_>, operation: &Operation, texts: Option<u64>, round: u32) -> PendingQuestion {
    let by_model = || PendingQuestion::Model(Box::new(NeedsApproval::of(call, operation, "needs_approval")));
    if !call.client_asks_people() || round > MOST_ROUNDS {
        return by_model();
    }
    let state = CallState { operation: operation.operation_id.to_string(), rounds: round };
    let Some(sealed) = call.seal.close(call.whole(), &state) else { return by_model() };
    let question = ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message: format!("{}?", work(operation, texts)),
        url: operation.approval_url.clone(),
        elicitation_id: operation.operation_id.to_string(),
    };
    let question = InputRequest::Elicitation(ElicitRequest::new(question));
    let questions = InputRequests::from([(QUESTION.to_owned(), question)]);
    PendingQuestion::Person(Box::new(InputRequiredResult::new(Some(questions), Some(sealed))))
}

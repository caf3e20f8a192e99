//! Results of calls.

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, InputRequiredResult};
use serde::Serialize;
use serde_json::Value;

use crate::approval::{NeedsApproval, PendingQuestion};
use crate::bound::bounded;

/// The outcome of a call that did not fail.
#[derive(Debug)]
pub(crate) enum CallOutcome<T> {
    /// It is done.
    Done(Box<T>),
    /// A person has to approve it, and the client asks that person.
    AskPerson(Box<InputRequiredResult>),
    /// A person has to approve it, and the model tells that person.
    NeedsApproval(Box<NeedsApproval>),
}

impl<T> CallOutcome<T> {
    pub(crate) fn done(value: T) -> Self {
        Self::Done(Box::new(value))
    }
}

/// Writes a result: a sentence for people, then the same facts as text and as structured content.
pub(crate) fn complete<T: Serialize>(sentence: String, value: &T) -> Result<CallToolResponse, ErrorData> {
    let Ok(Value::Object(facts)) = serde_json::to_value(value) else {
        return Err(ErrorData::internal_error("the result cannot be written as JSON", None));
    };
    let mut result = CallToolResult::structured(Value::Object(bounded(facts)));
    if !sentence.is_empty() {
        result.content.insert(0, ContentBlock::text(sentence));
    }
    Ok(result.into())
}

impl<T> From<PendingQuestion> for CallOutcome<T> {
    fn from(asked: PendingQuestion) -> Self {
        match asked {
            PendingQuestion::Person(result) => Self::AskPerson(result),
            PendingQuestion::Model(needs) => Self::NeedsApproval(needs),
        }
    }
}

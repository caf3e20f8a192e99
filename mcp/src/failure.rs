//! Failures of a call: told as results that a model can act on, or as errors of the protocol where a call was malformed.

use std::time::Duration;

use l10n_client::{ApiError, Error, ErrorCode, TransportKind};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::bound::bounded;
use crate::credits::Credits;
use crate::what_to_do;

/// Codes of what the service does not have.
const ABSENT: &[&str] = &["not_found", "key_not_found", "not_published"];

/// Longest part of the service's message in an error of the protocol.
const LONGEST: usize = 300;

/// A failed call.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Its arguments are wrong: an error of the protocol.
    Arguments(String),
    /// A result with `isError`.
    Told(Box<FailureFacts>),
}

/// The facts of a failure.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FailureFacts {
    /// A code to branch on.
    pub(crate) error: String,
    /// The problem, for people.
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(crate) details: Map<String, Value>,
    pub(crate) what_to_do: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after_seconds: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request_id: Option<String>,
}

impl FailureFacts {
    pub(crate) fn new(error: &str, message: impl Into<String>, what_to_do: impl Into<String>) -> Self {
        Self {
            error: error.to_owned(),
            message: message.into(),
            details: Map::new(),
            what_to_do: what_to_do.into(),
            retry_after_seconds: None,
            request_id: None,
        }
    }

    pub(crate) fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }
}

impl Failure {
    /// Wrong arguments of `tool`.
    pub(crate) fn arguments(tool: &str, problem: impl AsRef<str>) -> Self {
        Self::Arguments(format!("{tool}: {}", problem.as_ref()))
    }

    /// The answer to a request whose result cannot tell of a failure: the same facts as an error of the protocol.
    pub(crate) fn error(self) -> ErrorData {
        let told = match self {
            Self::Arguments(problem) => return ErrorData::invalid_params(problem, None),
            Self::Told(told) => told,
        };
        let problem: String = told.message.chars().take(LONGEST).collect();
        let message = format!("{}: {problem} {}", told.error, told.what_to_do);
        let facts = match serde_json::to_value(&told) {
            Ok(Value::Object(facts)) => Some(Value::Object(bounded(facts))),
            _ => None,
        };
        // The SDK gives each revision its own code of what is not there.
        let is_absent = ABSENT.contains(&told.error.as_str());
        let error = if is_absent { ErrorData::resource_not_found } else { ErrorData::internal_error };
        error(message, facts)
    }

    /// The answer to the call of a tool.
    pub(crate) fn answer(self) -> Result<CallToolResult, ErrorData> {
        let told = match self {
            Self::Arguments(problem) => return Err(ErrorData::invalid_params(problem, None)),
            Self::Told(told) => told,
        };
        let Ok(Value::Object(facts)) = serde_json::to_value(&told) else {
            return Err(ErrorData::internal_error("the failure cannot be told", None));
        };
        let mut result = CallToolResult::structured_error(Value::Object(bounded(facts)));
        result.content.insert(0, ContentBlock::text(format!("{}. {}", told.error, told.what_to_do)));
        Ok(result)
    }
}

impl From<FailureFacts> for Failure {
    fn from(told: FailureFacts) -> Self {
        Self::Told(Box::new(told))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        FailureFacts::from(&error).into()
    }
}

impl From<&Error> for FailureFacts {
    fn from(error: &Error) -> Self {
        match error {
            Error::Api(answer) => of_answer(answer),
            Error::Transport(transport) => {
                let (code, words) = match transport.kind {
                    TransportKind::Timeout | TransportKind::ConnectTimeout => ("timeout", "did not answer in time"),
                    TransportKind::Interrupted => ("connection_lost", "closed the connection before it answered"),
                    _ => ("unreachable", "cannot be reached"),
                };
                let mut told = Self::new(code, format!("The service {words}."), what_to_do::UNREACHABLE);
                told.request_id = Some(transport.correlation_id.clone());
                told
            }
            Error::Canceled { .. } => {
                Self::new("canceled", "The client canceled the call before this was sent.", what_to_do::CANCELED)
            }
            Error::InvalidArgument(problem) => {
                Self::new("invalid_argument", problem.problem.clone(), what_to_do::of(&ErrorCode::InvalidArgument, 400))
            }
            other => {
                let mut told = Self::new(
                    "unexpected_answer",
                    "The service answered in a way that this program does not understand.",
                    what_to_do::UNEXPECTED,
                );
                told.request_id = other.correlation_id().map(str::to_owned);
                told
            }
        }
    }
}

fn of_answer(answer: &ApiError) -> FailureFacts {
    let mut told =
        FailureFacts::new(answer.code.as_str(), answer.message.clone(), what_to_do::of(&answer.code, answer.status));
    told.details = answer.details().cloned().unwrap_or_default();
    in_credits(&mut told.details);
    for (name, amount) in [
        ("available_credits", answer.available_credits()),
        ("cap_remaining_credits", answer.cap_remaining()),
        ("spending_cap_credits", answer.spending_cap()),
    ] {
        if let Some(amount) = amount {
            told = told.detail(name, serde_json::to_value(Credits::from(amount)).unwrap_or_default());
        }
    }
    told.retry_after_seconds = answer.retry_after.map(|wait: Duration| wait.as_secs());
    told.request_id = Some(answer.correlation_id.clone());
    told
}

/// `estimatedCredits` of the API is in thousandths.
fn in_credits(details: &mut Map<String, Value>) {
    if let Some(amount) = details.remove("estimatedCredits").and_then(|amount| amount.as_i64()) {
        let credits = Credits::from(l10n_client::api::Millicredits(amount));
        details.insert("estimated_credits".into(), serde_json::to_value(credits).unwrap_or_default());
    }
}

//! The trait that every module's errors implement, and the error of a command, which can be any of them.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use super::routes::without_routes;
use crate::exit::ExitStatus;

/// An error that knows how a command ends with it. Its `Display` is the message.
pub(crate) trait Failure: std::error::Error + Any + Send + Sync {
    /// The exit status.
    fn status(&self) -> ExitStatus;

    /// A code to branch on; the API's own if the error comes from the API.
    fn code(&self) -> &str;

    /// Advice about the error.
    fn hint(&self) -> Option<String>;

    /// The correlation id of the failed exchange, for the server's operators.
    fn correlation_id(&self) -> Option<&str> {
        None
    }

    /// Members of the JSON result besides those above.
    fn details(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

/// A command failed. Copies are the same failure.
#[derive(Clone)]
pub(crate) struct CliError {
    failure: Arc<dyn Failure>,
    /// More specific advice than the failure's own.
    hint: Option<String>,
    /// Additions to the message.
    additions: Vec<&'static str>,
}

impl<F: Failure> From<F> for CliError {
    fn from(failure: F) -> Self {
        Self { failure: Arc::new(failure), hint: None, additions: Vec::new() }
    }
}

impl fmt::Debug for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.failure, f)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.failure, f)?;
        self.additions.iter().try_for_each(|addition| write!(f, "; {addition}"))
    }
}

impl CliError {
    /// The error as that of a module, if it is one.
    pub(crate) fn find<F: Failure>(&self) -> Option<&F> {
        let any: &dyn Any = self.failure.as_ref();
        any.downcast_ref()
    }

    /// Returns true if it is an error of this kind.
    pub(crate) fn is<F: Failure>(&self) -> bool {
        self.find::<F>().is_some()
    }

    /// Returns true if both are one failure, of several items at a time.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.failure, &other.failure)
    }

    /// The exit status.
    pub(crate) fn status(&self) -> ExitStatus {
        self.failure.status()
    }

    /// Advice about the error.
    pub(crate) fn hint(&self) -> Option<String> {
        self.hint.clone().or_else(|| self.failure.hint())
    }

    /// The correlation id of the failed exchange.
    pub(crate) fn correlation_id(&self) -> Option<&str> {
        self.failure.correlation_id()
    }

    /// The message for people at a terminal, without the API routes that a server may name.
    pub(crate) fn message(&self) -> String {
        without_routes(&self.to_string())
    }

    /// Returns the same error with this advice.
    pub(crate) fn advise(self, hint: String) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// Returns the same error with an addition to its message.
    pub(crate) fn but(mut self, addition: &'static str) -> Self {
        self.additions.push(addition);
        self
    }

    /// Returns the value of `error` in the JSON result.
    pub(crate) fn to_json(&self) -> Value {
        let code = self.failure.code();
        let mut object = json!({ "code": code, "message": self.message(), "exitCode": self.status().code() });
        if let Some(hint) = self.hint() {
            object["hint"] = hint.into();
        }
        if let Some(id) = self.correlation_id() {
            object["correlationId"] = id.into();
        }
        for (name, value) in self.failure.details() {
            object[name] = value;
        }
        object
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the disk is full")]
    struct Full;

    impl Failure for Full {
        fn status(&self) -> ExitStatus {
            ExitStatus::Conflict
        }

        fn code(&self) -> &str {
            "full"
        }

        fn hint(&self) -> Option<String> {
            Some("buy another".to_owned())
        }

        fn correlation_id(&self) -> Option<&str> {
            Some("req_1")
        }

        fn details(&self) -> Vec<(&'static str, Value)> {
            vec![("bytes", 7.into())]
        }
    }

    #[test]
    fn advice_and_additions_leave_the_rest_of_a_failure() {
        let error = CliError::from(Full).advise("empty it".to_owned()).but("nothing was changed").but("really");
        assert!(error.is::<Full>() && error.is_same_as(&error.clone()) && !error.is_same_as(&Full.into()));
        assert_eq!(
            error.to_json(),
            json!({"code": "full", "message": "the disk is full; nothing was changed; really", "exitCode": 7,
                "hint": "empty it", "correlationId": "req_1", "bytes": 7})
        );
    }
}

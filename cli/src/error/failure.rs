//! The trait that every module's errors implement, and the error of a command, which can be any of them.

use std::any::Any;
use std::fmt;

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

/// A command failed.
pub(crate) struct CliError(Box<dyn Failure>);

impl<F: Failure> From<F> for CliError {
    fn from(failure: F) -> Self {
        Self(Box::new(failure))
    }
}

impl fmt::Debug for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl CliError {
    /// The error as that of a module, if it is one.
    pub(crate) fn find<F: Failure>(&self) -> Option<&F> {
        let any: &dyn Any = self.0.as_ref();
        any.downcast_ref()
    }

    /// Returns true if it is an error of this kind.
    pub(crate) fn is<F: Failure>(&self) -> bool {
        self.find::<F>().is_some()
    }

    /// The exit status.
    pub(crate) fn status(&self) -> ExitStatus {
        self.0.status()
    }

    /// Advice about the error.
    pub(crate) fn hint(&self) -> Option<String> {
        self.0.hint()
    }

    /// The correlation id of the failed exchange.
    pub(crate) fn correlation_id(&self) -> Option<&str> {
        self.0.correlation_id()
    }

    /// The message for people at a terminal, without the API routes that a server may name.
    pub(crate) fn message(&self) -> String {
        without_routes(&self.to_string())
    }

    /// Returns the same error with this advice.
    pub(crate) fn advise(self, hint: String) -> Self {
        Advised { error: self, hint }.into()
    }

    /// Returns the same error with an addition to its message.
    pub(crate) fn but(self, addition: &'static str) -> Self {
        Completed { error: self, addition }.into()
    }

    /// Returns the value of `error` in the JSON result.
    pub(crate) fn to_json(&self) -> Value {
        let mut object = json!({ "code": self.0.code(), "message": self.message(), "exitCode": self.status().code() });
        if let Some(hint) = self.hint() {
            object["hint"] = hint.into();
        }
        if let Some(id) = self.correlation_id() {
            object["correlationId"] = id.into();
        }
        for (name, value) in self.0.details() {
            object[name] = value;
        }
        object
    }
}

/// Another error with more specific advice.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
struct Advised {
    error: CliError,
    hint: String,
}

impl Failure for Advised {
    fn status(&self) -> ExitStatus {
        self.error.status()
    }

    fn code(&self) -> &str {
        self.error.0.code()
    }

    fn hint(&self) -> Option<String> {
        Some(self.hint.clone())
    }

    fn correlation_id(&self) -> Option<&str> {
        self.error.correlation_id()
    }
}

/// Another error with an addition to its message.
#[derive(Debug, thiserror::Error)]
#[error("{error}; {addition}")]
struct Completed {
    error: CliError,
    addition: &'static str,
}

impl Failure for Completed {
    fn status(&self) -> ExitStatus {
        self.error.status()
    }

    fn code(&self) -> &str {
        self.error.0.code()
    }

    fn hint(&self) -> Option<String> {
        self.error.hint()
    }

    fn correlation_id(&self) -> Option<&str> {
        self.error.correlation_id()
    }

    fn details(&self) -> Vec<(&'static str, Value)> {
        self.error.0.details()
    }
}

//! A failed call of the API.

use l10n_client::api::{ErrorCode, Millicredits};
use l10n_client::{ApiError, ConfigError, Error as ClientError};
use serde_json::Value;

use super::failure::{CliError, Failure};
use super::hints;
use crate::exit::ExitStatus;

/// The server answered with an error, or could not be reached.
#[derive(Debug, thiserror::Error)]
#[error("{doing}: {}", say(.source))]
pub(crate) struct CallError {
    /// The action, which is the start of the message: "reading the project".
    pub(crate) doing: String,
    pub(crate) source: ClientError,
}

impl CallError {
    /// The server's answer, if there was one.
    pub(crate) fn answer(&self) -> Option<&ApiError> {
        match &self.source {
            ClientError::Api(answer) => Some(answer),
            _ => None,
        }
    }
}

impl Failure for CallError {
    fn status(&self) -> ExitStatus {
        match &self.source {
            ClientError::Api(error) => ExitStatus::of_api_error(&error.code, error.status),
            ClientError::Transport(_) | ClientError::WaitTimeout(_) => ExitStatus::Unavailable,
            ClientError::Config(error) if is_about_the_key(error) => ExitStatus::Auth,
            ClientError::Config(_) | ClientError::InvalidArgument(_) | ClientError::Redirected(_) => ExitStatus::Usage,
            _ => ExitStatus::Unexpected,
        }
    }

    fn code(&self) -> &str {
        match &self.source {
            ClientError::Api(error) => error.code.as_str(),
            ClientError::Transport(_) => "unreachable",
            ClientError::WaitTimeout(_) => "wait_timeout",
            ClientError::Redirected(_) => "redirected",
            ClientError::InvalidArgument(_) => "invalid_argument",
            ClientError::Config(error) if is_about_the_key(error) => "no_api_key",
            ClientError::Config(_) => "config",
            ClientError::Integrity(_) => "damaged",
            _ => "bad_answer",
        }
    }

    fn hint(&self) -> Option<String> {
        hints::of_api_error(&self.source)
    }

    fn correlation_id(&self) -> Option<&str> {
        self.source.correlation_id()
    }

    fn details(&self) -> Vec<(&'static str, Value)> {
        let Some(answer) = self.answer() else { return Vec::new() };
        let amount = |amount: Option<Millicredits>| amount.map(|amount| Value::from(amount.0));
        let members = [
            ("availableCredits", amount(answer.available_credits())),
            ("capRemaining", amount(answer.cap_remaining())),
            ("spendingCap", amount(answer.spending_cap())),
            ("details", answer.details().cloned().map(Value::from)),
        ];
        members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl CliError {
    /// The server's answer, if the error is one.
    pub(crate) fn answer(&self) -> Option<&ApiError> {
        self.find::<CallError>()?.answer()
    }

    /// The API's error code, if the error is the server's answer.
    pub(crate) fn api_code(&self) -> Option<&ErrorCode> {
        Some(&self.answer()?.code)
    }
}

/// Adds the current action to an error of the client.
pub(crate) trait Doing<T> {
    /// Adds `doing`, which is the start of the message: "reading the project".
    fn doing(self, doing: impl Into<String>) -> Result<T, CliError>;
}

impl<T> Doing<T> for Result<T, ClientError> {
    fn doing(self, doing: impl Into<String>) -> Result<T, CliError> {
        self.map_err(|source| CallError { doing: doing.into(), source }.into())
    }
}

/// Returns true if the key is missing or none.
fn is_about_the_key(error: &ConfigError) -> bool {
    matches!(error, ConfigError::ApiKey { .. } | ConfigError::NoApiKey { .. })
}

/// The message, without the advice and the correlation id, which have lines of their own, and without the name of the
/// client's function.
fn say(error: &ClientError) -> String {
    let error = match error {
        ClientError::Api(error) => error,
        ClientError::InvalidArgument(error) => return error.problem.clone(),
        ClientError::Config(ConfigError::NoApiKey { .. }) => return "it needs an API key".to_owned(),
        error => return error.to_string().split(" [x-correlation-id").next().unwrap_or_default().to_owned(),
    };
    let mut text = format!("{} ({})", error.message.trim_end_matches('.'), error.code);
    let says = |amount: Millicredits| error.message.contains(&amount.to_string());
    if let Some(available) = error.available_credits().filter(|amount| !says(*amount)) {
        text.push_str(&format!("; {available} credits are available"));
    }
    if let Some(remaining) = error.cap_remaining().filter(|amount| !says(*amount)) {
        text.push_str(&format!("; {remaining} credits are left of this month's cap"));
    }
    text
}

#[cfg(test)]
mod tests {
    use l10n_client::{Client, file_upload};

    use super::*;

    fn shown(source: ClientError) -> (String, &'static str, ExitStatus) {
        let error = CallError { doing: "doing it".to_owned(), source };
        let code = ["invalid_argument", "no_api_key", "config", "damaged"];
        (error.to_string(), code.into_iter().find(|code| *code == error.code()).unwrap(), error.status())
    }

    #[test]
    fn what_is_refused_on_this_machine_has_its_own_codes_and_no_names_of_functions() {
        let (text, code, status) = shown(file_upload("../en.json", b"").unwrap_err());
        assert_eq!(text, "doing it: `../en.json` is not a relative path below the root of the code");
        assert_eq!((code, status), ("invalid_argument", ExitStatus::Usage));
        let (text, ..) = shown(file_upload("en.json", &vec![b'a'; 3 << 20]).unwrap_err());
        assert!(text.contains("the limit of a sync is 2097152") && !text.contains('§'), "{text}");

        let built = |key: &str, base_url: &str| Client::builder(base_url).api_key(key).build().unwrap_err();
        let (text, code, status) = shown(built("eik_", "https://l10n.example/v1").into());
        assert!(text.starts_with("doing it: the API key cannot be used: "), "{text}");
        assert_eq!((code, status), ("no_api_key", ExitStatus::Auth));
        let key = format!("eik_{}", "a".repeat(49));
        let (_, code, status) = shown(built(&key, "https://l10n.example").into());
        assert_eq!((code, status), ("config", ExitStatus::Usage));
    }
}

//! The error of a command: its message, its advice and its exit status.

mod hints;
mod routes;

use std::io;
use std::path::PathBuf;

use l10n_client::Error as ClientError;
use l10n_client::api::{ErrorCode, Millicredits, Scope};
use serde_json::{Value, json};

use crate::atomic::WriteError;
use crate::commands::AuthorityError;
use crate::config::ConfigError;
use crate::exit::ExitStatus;
use crate::pattern_error::PatternError;
use crate::run::{NotApproved, WriteOutcome, counted};
use crate::settings::SettingsError;
use crate::source_files::SourceError;
use crate::target::TargetError;

pub(crate) use self::routes::without_routes;

/// A command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error(transparent)]
    Config(Box<ConfigError>),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("{what} could not be read: {source}")]
    Read { what: String, source: io::Error },
    /// The arguments are wrong.
    #[error("{message}")]
    Usage { message: String, hint: String },
    /// The server answered with an error, or could not be reached.
    #[error("{doing}: {}", say(.source))]
    Api { doing: String, source: l10n_client::Error },
    /// A file cannot be read. Without a correlation id no server was asked.
    #[error("{path}:{line}:{column}: {message}")]
    BrokenFile {
        path: String,
        line: u64,
        column: u64,
        message: String,
        code: &'static str,
        correlation_id: Option<String>,
    },
    /// The server refused one document of several.
    #[error("{path}: {message}")]
    DocumentRefused { path: String, code: ErrorCode, message: String, correlation_id: String },
    /// The key cannot do what this command needs.
    #[error("{what} needs a key with the scope `{scope}`")]
    MissingScope { what: String, scope: Scope, hint: String },
    /// The key does not see a project with this name.
    #[error("this key has no project `{name}`")]
    NoSuchProject { name: String, correlation_id: Option<String> },
    /// A downloaded file does not match the manifest.
    #[error("`{path}` of version {version} arrived damaged: SHA-256 {got} instead of {expected}; nothing was written")]
    Damaged { path: String, version: String, expected: String, got: String },
    /// The price exceeds `--max-credits`.
    #[error("this would cost up to {estimated} credits, more than --max-credits {max}; nothing was changed")]
    OverMaxCredits { estimated: Millicredits, max: Millicredits },
    /// A dry run reports that the real run would be refused.
    #[error("the real run would be refused: {message}")]
    WouldFail { code: ErrorCode, message: String },
    /// An import would leave out translations.
    #[error("the project does not have {} of the source files yet; nothing was imported", counted(*.0, "key"))]
    KeysUnknown(u64),
    /// An import succeeded except for some texts.
    #[error("{0} of the files are in no version: they are held back or were not imported")]
    HeldBack(String),
    /// A pull cannot merge the published file into the existing one.
    #[error("{path} cannot be merged with the published file: {why}; nothing was written")]
    Unmergeable { path: String, why: String },
    /// A person has not approved it.
    #[error("{0}")]
    NotApproved(Box<NotApproved>),
    /// The answer of a write was lost.
    #[error("{error}; {}", outcome.words())]
    Lost { error: Box<CliError>, outcome: WriteOutcome, request: String },
    /// `l10n check` found differences.
    #[error("code and server differ: {0}")]
    OutOfDate(String),
    /// `l10n content check` found documents that would be held back.
    #[error("{0} of documents would be held back")]
    NotReady(String),
    /// Only a part succeeded.
    #[error("{0}")]
    Partial(String),
    /// A check of `l10n doctor` failed.
    #[error("{problems} of {checks} checks failed")]
    Unhealthy { problems: usize, checks: usize, status: ExitStatus },
    /// There is no certificate for a listener.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// Another error with more specific advice.
    #[error("{error}")]
    Advised { error: Box<CliError>, hint: String },
    /// `l10n webhooks verify` found wrong parts.
    #[error("a receiver must refuse this delivery: wrong {0}")]
    NotVerified(String),
    /// A receiver under test did not answer.
    #[error("{url} did not answer: {why}")]
    NotAnswered { url: String, why: String },
    /// A receiver under test answered wrongly.
    #[error("{message}")]
    Receiver { message: String, hint: String },
    /// A webhook's receiver did not accept a delivery.
    #[error("{delivery} was not delivered: {why}")]
    NotDelivered { delivery: String, why: String },
    /// An attempt has not ended.
    #[error("the attempt of {delivery} has not ended after {} s", .waited.as_secs())]
    StillSending { delivery: String, waited: std::time::Duration },
    /// The person answered no.
    #[error("canceled; nothing was done")]
    Declined,
    /// Ctrl-C was pressed.
    #[error("interrupted")]
    Interrupted,
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        Self::Config(Box::new(error))
    }
}

impl CliError {
    /// Makes an error about the arguments.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }

    /// The message for people at a terminal, without the API routes that a server may name.
    pub(crate) fn message(&self) -> String {
        without_routes(&self.to_string())
    }

    /// Returns the same error with this advice.
    pub(crate) fn advise(self, hint: String) -> Self {
        Self::Advised { error: Box::new(self), hint }
    }

    /// The API's error code, if there is one.
    pub(crate) fn api_code(&self) -> Option<&ErrorCode> {
        match self {
            Self::Api { source, .. } => source.code(),
            Self::Advised { error, .. } | Self::Lost { error, .. } => error.api_code(),
            _ => None,
        }
    }

    /// The exit status.
    pub(crate) fn status(&self) -> ExitStatus {
        match self {
            Self::Config(_) | Self::Pattern(_) | Self::Source(_) | Self::Usage { .. } | Self::NoSuchProject { .. } => {
                ExitStatus::Usage
            }
            Self::Settings(error) => error.status(),
            Self::Read { .. } | Self::BrokenFile { .. } | Self::Unmergeable { .. } => ExitStatus::Usage,
            Self::Target(_) | Self::Write(_) | Self::Damaged { .. } => ExitStatus::Unexpected,
            Self::Api { source, .. } => api_status(source),
            Self::MissingScope { .. } => ExitStatus::Auth,
            Self::OverMaxCredits { .. } => ExitStatus::Credits,
            Self::WouldFail { code, .. } | Self::DocumentRefused { code, .. } => {
                ExitStatus::of_api_error(code, code.status().unwrap_or(402))
            }
            Self::KeysUnknown(_) | Self::OutOfDate(_) => ExitStatus::OutOfDate,
            Self::NotReady(_) => ExitStatus::Conflict,
            Self::Authority(_) => ExitStatus::Usage,
            Self::NotVerified(_) => ExitStatus::Auth,
            Self::NotAnswered { .. } => ExitStatus::Unavailable,
            Self::Receiver { .. } => ExitStatus::Partial,
            Self::Advised { error, .. } => error.status(),
            Self::NotApproved(refusal) => ExitStatus::of_operation(refusal.operation.status),
            Self::Lost { outcome, .. } => outcome.status(),
            Self::Partial(_) | Self::HeldBack(_) | Self::NotDelivered { .. } => ExitStatus::Partial,
            Self::StillSending { .. } => ExitStatus::Unavailable,
            Self::Declined => ExitStatus::Usage,
            Self::Unhealthy { status, .. } => *status,
            Self::Interrupted => ExitStatus::Interrupted,
        }
    }

    /// A code to branch on; the API's own if the error comes from the API.
    pub(crate) fn code(&self) -> String {
        match self {
            Self::Api { source: ClientError::Api(error), .. } => error.code.to_string(),
            Self::Api { source: ClientError::Transport(_), .. } => "unreachable".to_owned(),
            Self::Api { source: ClientError::WaitTimeout(_), .. } => "wait_timeout".to_owned(),
            Self::Api { source: ClientError::Redirected(_), .. } => "redirected".to_owned(),
            Self::WouldFail { code, .. } | Self::DocumentRefused { code, .. } => code.to_string(),
            Self::Advised { error, .. } | Self::Lost { error, .. } => error.code(),
            other => other.own_code().to_owned(),
        }
    }

    fn own_code(&self) -> &'static str {
        match self {
            Self::Config(_) => "config",
            Self::Settings(error) => error.code(),
            Self::Pattern(_) => "pattern",
            Self::Source(_) => "source_files",
            Self::Target(_) => "unsafe_path",
            Self::Write(_) => "write_failed",
            Self::Read { .. } => "read_failed",
            Self::Usage { .. } => "usage",
            Self::Authority(_) => "certificates",
            Self::NotVerified(_) => "not_verified",
            Self::NotAnswered { .. } => "unreachable",
            Self::Receiver { .. } => "receiver",
            Self::Advised { error, .. } | Self::Lost { error, .. } => error.own_code(),
            Self::NotApproved(_) => "not_approved",
            Self::Api { .. } | Self::WouldFail { .. } | Self::DocumentRefused { .. } => "bad_answer",
            Self::BrokenFile { code, .. } => code,
            Self::MissingScope { .. } => "forbidden",
            Self::NoSuchProject { .. } => "not_found",
            Self::Damaged { .. } => "damaged",
            Self::OverMaxCredits { .. } => "over_max_credits",
            Self::KeysUnknown(_) => "keys_unknown",
            Self::HeldBack(_) => "held_back",
            Self::Unmergeable { .. } => "unmergeable",
            Self::OutOfDate(_) => "out_of_date",
            Self::NotReady(_) => "not_ready",
            Self::Partial(_) => "partial_failure",
            Self::NotDelivered { .. } => "not_delivered",
            Self::StillSending { .. } => "wait_timeout",
            Self::Declined => "declined",
            Self::Unhealthy { .. } => "unhealthy",
            Self::Interrupted => "interrupted",
        }
    }

    /// Advice about the error.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Config(error) => error.hint(),
            Self::Settings(error) => Some(error.hint()),
            Self::Pattern(error) => Some(error.hint()),
            Self::Source(error) => Some(error.hint()),
            Self::Target(error) => Some(error.hint()),
            Self::Write(_) => Some("check that the folder is writable and that the disk is not full".into()),
            Self::Read { .. } => Some("check the path and its permissions".into()),
            Self::Usage { hint, .. } => Some(hint.clone()),
            Self::Api { source, .. } => hints::of_api_error(source),
            Self::NotApproved(refusal) => Some(refusal.hint()),
            Self::Lost { error, outcome, request } => hints::of_lost(error, outcome, request),
            Self::BrokenFile { .. } => Some("fix the file there; nothing of it was used".into()),
            Self::MissingScope { hint, .. } => Some(hint.clone()),
            Self::NoSuchProject { .. } => {
                Some("check the spelling of `workspace/project` and that the key belongs to this project".into())
            }
            Self::Damaged { .. } => Some("run it again; if the problem persists, a proxy may be changing files".into()),
            Self::OverMaxCredits { .. } => Some("raise --max-credits, or name fewer --languages".into()),
            Self::WouldFail { code, .. } | Self::DocumentRefused { code, .. } => hints::of_code(code),
            Self::KeysUnknown(_) => Some(
                "run `l10n sync` first; it is free as long as the project has no target language, so add languages afterwards".into(),
            ),
            Self::HeldBack(_) => Some(
                "fix each text as described and import again; `l10n review list` shows what is held back".into(),
            ),
            Self::Unmergeable { .. } => {
                Some("fix the file there, or replace it with the published one: `l10n pull --prune`".into())
            }
            Self::OutOfDate(_) => Some("run `l10n sync`, `l10n publish`, then `l10n pull`".into()),
            Self::NotReady(_) => Some(
                "translate missing segments with `l10n content run`, and wrong ones with `l10n content run --retranslate PATH`".into(),
            ),
            Self::Partial(_) => {
                Some("run it again: finished work is kept and free, failed work was not charged".into())
            }
            Self::Authority(error) => Some(error.hint()),
            Self::NotVerified(_) => None,
            Self::NotAnswered { .. } => Some("check that the receiver runs, and check its URL".into()),
            Self::Receiver { hint, .. } => Some(hint.clone()),
            Self::Advised { hint, .. } => Some(hint.clone()),
            Self::NotDelivered { .. } => Some("fix the receiver and resend it; `l10n deliveries list` shows the log".into()),
            Self::StillSending { .. } => Some("it goes on; `l10n deliveries list` shows its result".into()),
            Self::Declined => None,
            Self::Unhealthy { .. } => Some("each failed check above says how to fix it".into()),
            Self::Interrupted => Some("work that the server has queued goes on; see `l10n status`".into()),
        }
    }

    /// The correlation id of the failed exchange, for the server's operators.
    pub(crate) fn correlation_id(&self) -> Option<String> {
        match self {
            Self::Api { source, .. } => source.correlation_id().map(str::to_owned),
            Self::NoSuchProject { correlation_id, .. } | Self::BrokenFile { correlation_id, .. } => {
                correlation_id.clone()
            }
            Self::Advised { error, .. } | Self::Lost { error, .. } => error.correlation_id(),
            Self::DocumentRefused { correlation_id, .. } => Some(correlation_id.clone()),
            _ => None,
        }
    }

    /// Returns the value of `error` in the JSON result.
    pub(crate) fn to_json(&self) -> Value {
        let mut object = json!({ "code": self.code(), "message": self.message(), "exitCode": self.status().code() });
        let mut set = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                object[name] = value;
            }
        };
        set("hint", self.hint().map(Value::from));
        set("correlationId", self.correlation_id().map(Value::from));
        match self {
            Self::Lost { outcome, .. } => set("outcome", Some(outcome.name().into())),
            Self::NotApproved(refusal) => set("operationId", Some(refusal.operation.operation_id.as_str().into())),
            _ => {}
        }
        if let Self::Api { source: ClientError::Api(error), .. } = self {
            set("availableCredits", error.available_credits().map(|amount| amount.0.into()));
            set("capRemaining", error.cap_remaining().map(|amount| amount.0.into()));
            set("spendingCap", error.spending_cap().map(|amount| amount.0.into()));
            set("details", error.details().cloned().map(Value::from));
        }
        object
    }
}

/// Adds the current action to an error of the client.
pub(crate) trait Doing<T> {
    /// Adds `doing`, which is the start of the message: "reading the project".
    fn doing(self, doing: impl Into<String>) -> Result<T, CliError>;
}

impl<T> Doing<T> for Result<T, ClientError> {
    fn doing(self, doing: impl Into<String>) -> Result<T, CliError> {
        self.map_err(|source| CliError::Api { doing: doing.into(), source })
    }
}

fn api_status(error: &ClientError) -> ExitStatus {
    match error {
        ClientError::Api(error) => ExitStatus::of_api_error(&error.code, error.status),
        ClientError::Transport(_) | ClientError::WaitTimeout(_) => ExitStatus::Unavailable,
        ClientError::Config(_) | ClientError::InvalidArgument(_) | ClientError::Redirected(_) => ExitStatus::Usage,
        _ => ExitStatus::Unexpected,
    }
}

/// The message, without the advice and the correlation id, which have lines of their own.
fn say(error: &ClientError) -> String {
    let ClientError::Api(error) = error else {
        let text = error.to_string();
        return text.split(" [x-correlation-id").next().unwrap_or_default().to_owned();
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

/// Makes an error for a local file that could not be read.
pub(crate) fn unreadable(path: &std::path::Path) -> impl FnOnce(io::Error) -> CliError {
    let path: PathBuf = path.to_owned();
    move |source| CliError::Read { what: path.display().to_string(), source }
}

//! The errors of the client, in kinds that a program can tell apart.

mod advice;
mod api;
mod config;
mod decode;
mod redirect;
mod transport;

use std::time::Duration;

use l10n_api_types::translations::Job;
use l10n_api_types::{EndpointInfo, ErrorCode, Rerun, TrackingToken};

pub use api::ApiError;
pub(crate) use api::shorten;
pub use config::ConfigError;
pub use decode::DecodeError;
pub use redirect::RedirectError;
pub use transport::{TransportError, TransportKind};

use crate::resend::Resend;

/// The error of a failed call.
///
/// Branch on the variant and on [`code`](Self::code), never on the text. No variant ever holds the API key, not even
/// where a server sent it back.
///
/// ```
/// use l10n_client::{Error, ErrorCode};
///
/// fn exit_code(error: &Error) -> u8 {
///     match error.code() {
///         Some(ErrorCode::Unauthorized | ErrorCode::Forbidden) => 4,
///         Some(ErrorCode::InsufficientCredits | ErrorCode::SpendCapExceeded | ErrorCode::PlanLimit) => 5,
///         Some(ErrorCode::RateLimited) => 6,
///         Some(_) => 1,
///         None => match error {
///             Error::Transport(_) => 8,
///             Error::Config(_) | Error::InvalidArgument(_) => 2,
///             _ => 1,
///         },
///     }
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server, or a proxy in front of it, answered with an error (§7).
    #[error(transparent)]
    Api(Box<ApiError>),
    /// No complete answer arrived.
    #[error(transparent)]
    Transport(Box<TransportError>),
    /// An answer arrived that does not match its declaration.
    #[error(transparent)]
    Decode(Box<DecodeError>),
    /// The server answered with a redirect. This client follows none, so that the key does not travel to another address; an
    /// HTTP client of the application's own may have ([`Builder::http_client`](crate::Builder::http_client)).
    #[error(transparent)]
    Redirected(Box<RedirectError>),
    /// The bytes of a published file do not match the manifest.
    #[error(transparent)]
    Integrity(Box<IntegrityError>),
    /// A translation job had not ended within the time limit. The job goes on.
    #[error(transparent)]
    WaitTimeout(Box<WaitTimeout>),
    /// The call was canceled ([`CallOptions::canceled_by`](crate::CallOptions::canceled_by)). Nothing was sent.
    #[error("{endpoint}: the call was canceled before its request was sent")]
    Canceled {
        /// The endpoint.
        endpoint: &'static EndpointInfo,
    },
    /// A given value cannot be sent. Nothing was sent.
    #[error(transparent)]
    InvalidArgument(#[from] InvalidArgument),
    /// The client lacks a setting for this call. Nothing was sent.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// A value that cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{endpoint}: {problem}")]
#[non_exhaustive]
pub struct InvalidArgument {
    /// The endpoint, or the helper, that was called.
    pub endpoint: &'static str,
    /// The problem and its remedy.
    pub problem: String,
}

impl InvalidArgument {
    pub(crate) fn new(endpoint: &'static str, problem: impl Into<String>) -> Self {
        Self { endpoint, problem: problem.into() }
    }
}

/// A published file that does not match its manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the bytes of `{path}` do not match the manifest: {bytes} bytes with SHA-256 {sha256} instead of \
     {expected_bytes} with {expected_sha256}. Something between server and client changed or cut them; download again"
)]
#[non_exhaustive]
pub struct IntegrityError {
    /// The file's path.
    pub path: String,
    /// The number of bytes received.
    pub bytes: u64,
    /// Their SHA-256 in lowercase hex.
    pub sha256: String,
    /// The number of bytes in the manifest.
    pub expected_bytes: u64,
    /// The SHA-256 in the manifest.
    pub expected_sha256: String,
}

/// A job that did not end within the time limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the translation job {tracking_token} had not ended after {} s and goes on; wait for it again or read it by its token",
    waited.as_secs()
)]
#[non_exhaustive]
pub struct WaitTimeout {
    /// The job.
    pub tracking_token: TrackingToken,
    /// Time spent waiting.
    pub waited: Duration,
    /// The last answer about the job.
    pub job: Option<Job>,
}

impl Error {
    /// The code of the server's error, to branch on; `None` if there was no error answer.
    #[must_use]
    pub fn code(&self) -> Option<&ErrorCode> {
        match self {
            Self::Api(error) => Some(&error.code),
            _ => None,
        }
    }

    /// The HTTP status, if an answer arrived.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Api(error) => Some(error.status),
            Self::Redirected(error) => Some(error.status),
            Self::Decode(error) => Some(error.status),
            _ => None,
        }
    }

    /// The call's `x-correlation-id`, as the server answered it, or else as it was sent; `None` if nothing was sent.
    /// Quote it when you ask the service's operators for help.
    #[must_use]
    pub fn correlation_id(&self) -> Option<&str> {
        match self {
            Self::Api(error) => Some(&error.correlation_id),
            Self::Transport(error) => Some(&error.correlation_id),
            Self::Decode(error) => Some(&error.correlation_id),
            Self::Redirected(error) => Some(&error.correlation_id),
            Self::Integrity(_)
            | Self::WaitTimeout(_)
            | Self::Canceled { .. }
            | Self::InvalidArgument(_)
            | Self::Config(_) => None,
        }
    }

    /// The time that the server asks to wait before the next request, at most
    /// [`LONGEST_RETRY_AFTER`](crate::LONGEST_RETRY_AFTER). A daily limit that is used up lasts longer than it says:
    /// check [`ApiError::resets_at`] first.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Api(error) => error.retry_after,
            _ => None,
        }
    }

    /// Returns true if the same call may be made again later without harm. The client has already retried as often as
    /// its settings allow; a long-running program may go on: after [`ApiError::resets_at`] for a daily limit that is used
    /// up, otherwise after [`retry_after`](Self::retry_after).
    ///
    /// Never true if [`must_rerun_from_source`](Self::must_rerun_from_source) is.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Api(error) if error.is_request_budget() => true,
            Self::Api(error) if error.code == ErrorCode::IdempotencyInProgress => true,
            Self::Api(error) => error.resend.may_follow(error.endpoint, error.status),
            Self::Transport(error) => {
                let safe = error.resend != Resend::OnlyUnsent || !error.may_have_reached_server;
                safe && error.kind != TransportKind::Tls
            }
            _ => false,
        }
    }

    /// The endpoint that was called, with the facts that decide what to do next; `None` if no call was made.
    ///
    /// ```
    /// use l10n_client::Error;
    ///
    /// fn secret_may_be_lost(error: &Error) -> bool {
    ///     error.endpoint().is_some_and(|endpoint| endpoint.makes_secret) && error.may_have_been_carried_out()
    /// }
    /// ```
    #[must_use]
    pub fn endpoint(&self) -> Option<&'static EndpointInfo> {
        match self {
            Self::Api(error) => Some(error.endpoint),
            Self::Transport(error) => Some(error.endpoint),
            Self::Redirected(error) => Some(error.endpoint),
            Self::Decode(error) => Some(error.endpoint),
            Self::Canceled { endpoint } => Some(endpoint),
            _ => None,
        }
    }

    /// Returns true if the server may have carried the call out although it failed here.
    ///
    /// A 4xx wrote nothing. The outcome is unknown after a 5xx, a broken connection, an answer that cannot be read, and a
    /// redirect that an HTTP client of the application's own followed.
    #[must_use]
    pub fn may_have_been_carried_out(&self) -> bool {
        if !self.request_ids().is_empty() {
            return true;
        }
        match self {
            Self::Api(error) => error.status >= 500,
            Self::Transport(error) => error.may_have_reached_server,
            Self::Decode(_) => true,
            Self::Redirected(error) => error.followed,
            _ => false,
        }
    }

    /// Returns true if a translate or a sync has to be **run again from the source files** rather than be resent (§7
    /// rule 1): after a 503, and whenever its outcome is unknown.
    ///
    /// Both classify their whole input again, so another run costs nothing for finished work.
    #[must_use]
    pub fn must_rerun_from_source(&self) -> bool {
        self.endpoint().is_some_and(|endpoint| endpoint.rerun == Rerun::FromSources)
            && self.may_have_been_carried_out()
            && !self.is_retryable()
    }

    /// The request of a write that may have been carried out, to ask
    /// [`Project::outcome_of`](crate::Project::outcome_of) about: the last one, if the call made several. `None` for
    /// reads and dry runs, and if certainly nothing was done.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.request_ids().last().map(String::as_str)
    }

    /// Every request of a write that may have been carried out, in the order in which they were sent. There are several
    /// only for a call that was resent with unknown outcome ([`Resend`]).
    #[must_use]
    pub fn request_ids(&self) -> &[String] {
        match self {
            Self::Api(error) => &error.open,
            Self::Transport(error) => &error.open,
            Self::Decode(error) => &error.open,
            Self::Redirected(error) => &error.open,
            Self::Integrity(_)
            | Self::WaitTimeout(_)
            | Self::Canceled { .. }
            | Self::InvalidArgument(_)
            | Self::Config(_) => &[],
        }
    }

    /// Adds the requests of the call that may have been carried out.
    pub(crate) fn with_open(mut self, open: Vec<String>) -> Self {
        match &mut self {
            Self::Api(error) => error.open = open,
            Self::Transport(error) => error.open = open,
            Self::Decode(error) => error.open = open,
            Self::Redirected(error) => error.open = open,
            Self::Integrity(_)
            | Self::WaitTimeout(_)
            | Self::Canceled { .. }
            | Self::InvalidArgument(_)
            | Self::Config(_) => {}
        }
        self
    }

    /// Returns true if the server may have a receipt of the failed request, even one of a failure.
    pub(crate) fn may_have_left_a_receipt(&self) -> bool {
        match self {
            Self::Api(error) => !error.is_request_budget(),
            Self::Transport(error) => error.may_have_reached_server,
            _ => true,
        }
    }
}

/// The result of a call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<ApiError> for Error {
    fn from(error: ApiError) -> Self {
        Self::Api(Box::new(error))
    }
}

impl From<TransportError> for Error {
    fn from(error: TransportError) -> Self {
        Self::Transport(Box::new(error))
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Self::Decode(Box::new(error))
    }
}

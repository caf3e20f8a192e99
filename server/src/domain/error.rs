//! The one error of the rules: a closed set, a variant for each code, with that code's fields.

use l10n_api_types::{DailyBudget, Millicredits, VersionId};

use super::approval::Refusal;
use crate::clock::Timestamp;
use crate::store::StoreError;

/// The reason why a rule refused a request, or could not be carried out. `http::error` gives each its status and body.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The request is malformed; nothing was written. The text says which field and what to do.
    #[error("{0}")]
    InvalidArgument(String),
    /// The format of a file could not be detected.
    #[error("{0}")]
    FormatAmbiguous(String),
    /// A format, or the kind of a file, is not known.
    #[error("{0}")]
    FormatUnsupported(String),
    /// A file cannot be read. Line and column count from 1.
    #[error("{message} (line {line}, column {column})")]
    FileUnparseable {
        /// The fault.
        message: String,
        /// Line of the fault.
        line: usize,
        /// Column of the fault, in Unicode scalar values.
        column: usize,
    },
    /// A document cannot be read. Line and column count from 1.
    #[error("{message} (line {line}, column {column})")]
    DocumentUnparseable {
        /// The fault.
        message: String,
        /// Line of the fault.
        line: u32,
        /// Column of the fault, in Unicode scalar values.
        column: u32,
    },
    /// Key missing, invalid, revoked or of another project.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// The balance less live holds does not cover the work.
    #[error("the work may cost {needed} credits and the workspace has {available}: add credits or translate less")]
    InsufficientCredits {
        /// Balance less live holds.
        available: Millicredits,
        /// Price of the work, an upper bound.
        needed: Millicredits,
    },
    /// The monthly cap does not cover the work.
    #[error(
        "the work may cost {needed} credits and the monthly cap leaves {remaining} of {cap}: raise it or wait for the next month (UTC)"
    )]
    SpendCapExceeded {
        /// Credits that may still be spent this month.
        remaining: Millicredits,
        /// The cap.
        cap: Millicredits,
        /// Price of the work, an upper bound.
        needed: Millicredits,
    },
    /// The work would exceed the plan's limit.
    #[error("the plan allows {limit} {feature}; this would make {wanted}")]
    PlanLimit {
        /// `keys`, `languages` or `documents`.
        feature: &'static str,
        /// The plan's limit.
        limit: u64,
        /// The number that there would be.
        wanted: u64,
    },
    /// The key lacks the scope.
    #[error("{0}")]
    Forbidden(String),
    /// An agent's key needs an approved operation, or the one that was named does not allow this.
    #[error("{0}")]
    AuthorizationRequired(Box<Refusal>),
    /// Route, project or resource does not exist.
    #[error("{0}")]
    NotFound(String),
    /// No key of that name.
    #[error("no key is named `{0}`")]
    KeyNotFound(String),
    /// No version of that id in this project.
    #[error("this project has no version `{0}`")]
    VersionNotFound(VersionId),
    /// The project has not been published.
    #[error("the project has not been published yet")]
    NotPublished,
    /// The document has not been published in the language.
    #[error("{0}")]
    DocumentNotPublished(String),
    /// The method is not one of the path's; they are listed.
    #[error("this path takes {}", allow.join(", "))]
    MethodNotAllowed {
        /// Methods that the path takes.
        allow: Vec<&'static str>,
    },
    /// There is no key to publish.
    #[error("there is no key to publish: sync a file or translate some keys first")]
    NothingToPublish,
    /// Another document has that external id.
    #[error("The document `{0}` has this `externalId` already: change that one")]
    ExternalIdExists(String),
    /// The document's source is another version by now.
    #[error(
        "the document's source is no longer `ifVersionId` but `{0}`: read it, then push the version that should win"
    )]
    VersionConflict(VersionId),
    /// The version is live already.
    #[error("version `{0}` is the live one already")]
    VersionLive(VersionId),
    /// The project holds as many webhooks as it may.
    #[error("a project has at most {0} webhooks: delete one first")]
    WebhookLimit(usize),
    /// As many requests of the key as there may be wait for a person.
    #[error(
        "{0} requests of this key wait for a person's decision already: have some of them decided in the dashboard, or wait \
         for their end, which comes 24 hours after each was asked for"
    )]
    OperationLimit(i64),
    /// An attempt of the delivery is in flight.
    #[error("an attempt of delivery `{0}` is in flight: wait for its end, at most 15 seconds")]
    DeliveryInFlight(String),
    /// The `Idempotency-Key` is in use for something else.
    #[error("{0}")]
    IdempotencyConflict(String),
    /// The write that the `Idempotency-Key` is in use for has not ended.
    #[error("the first request with this `Idempotency-Key` is still running: wait for its end and ask again")]
    IdempotencyInProgress {
        /// After how many seconds asking again is worth it.
        retry_after_seconds: u32,
    },
    /// The body, or a decoded file in it, is too large.
    #[error("{what} is over {limit} bytes")]
    PayloadTooLarge {
        /// `the body`, `the file`.
        what: &'static str,
        /// The cap, in bytes.
        limit: usize,
    },
    /// The head of a request is larger than the server takes.
    #[error("{0}")]
    HeadTooLarge(&'static str),
    /// The server has more to do than it takes on; nothing was run.
    #[error("{0}")]
    Busy(String),
    /// The request budget of the project is used up.
    #[error("{0}")]
    RateLimited(String),
    /// The call needs more of a daily limit than remains of it.
    #[error("Daily {} limit ({limit}) reached; it resets at 00:00 UTC. Nothing was written", noun(*.budget))]
    DailyLimitReached {
        /// The limit that is reached.
        budget: DailyBudget,
        /// The limit of one day.
        limit: u32,
        /// The next midnight, UTC.
        resets_at: Timestamp,
    },
    /// The datastore refused; the text says what to run again.
    #[error("{again}")]
    Unavailable {
        /// The action to run again, for the caller.
        again: String,
        /// The store's error, for the log alone.
        #[source]
        source: StoreError,
    },
    /// The answer to the commit of a run got lost: its credits may be held, and nobody could give them back.
    #[error(
        "the datastore did not say whether it took this run: run the push or sync again from your source files, since the \
         whole input is classified again; if this attempt did not land, nothing of it is left; if it did, the hold {hold} \
         of {credits} credits, which could not be released, clears by itself within 35 minutes"
    )]
    HoldNotReleased {
        /// `hld_…`
        hold: String,
        /// Credits that it sets aside.
        credits: Millicredits,
        /// The store's error, for the log alone.
        #[source]
        source: StoreError,
    },
    /// A write took so long that its receipt may have said that it failed.
    #[error("the request took too long and was given up: nothing was written; run it again")]
    Late,
    /// A fault of the server, for the log alone.
    #[error("the server failed at this request; it may or may not have landed")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ServiceError {
    /// A fault of the server that the caller can do nothing about.
    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(error.into())
    }

    /// The project does not exist.
    pub(crate) fn no_such_project() -> Self {
        Self::NotFound("there is no such project".to_owned())
    }

    /// `languages` is an empty list.
    pub(crate) fn no_language_named() -> Self {
        let message = "`languages` must name at least one language; leave it out for all of the project's";
        Self::InvalidArgument(message.to_owned())
    }

    /// `cursor` continues another list.
    pub(crate) fn cursor_of_another_list() -> Self {
        Self::InvalidArgument("`cursor` belongs to another list".to_owned())
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        let again = match error {
            StoreError::Moving => {
                "changes of a large run of this project are still being applied: try again in a moment"
            }
            StoreError::Unavailable(_) | StoreError::Busy => {
                "the datastore does not take this request at present: run it again in a moment"
            }
            other => return Self::internal(other),
        };
        Self::Unavailable { again: again.to_owned(), source: error }
    }
}

/// The noun for one unit of a budget, for people.
const fn noun(budget: DailyBudget) -> &'static str {
    match budget {
        DailyBudget::Publishes => "publish",
        DailyBudget::Restores => "restore",
        DailyBudget::Captures => "captured key",
        DailyBudget::Imports => "document import",
        DailyBudget::Runs => "document run",
    }
}

//! Refusals of calls that need an approval, for people and for programs.

use std::fmt;

use l10n_api_types::operations::{OperationKind, OperationStatus, OperationTarget};
use l10n_api_types::{Millicredits, OperationId, VersionId, WholeCredits};
use serde_json::{Map, Value, json};

use super::GatedCall;
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::words::counted;

/// A refusal: the operation that was named, the work that was refused, and the reason.
#[derive(Debug)]
pub struct Refusal {
    operation: Option<OperationId>,
    kind: OperationKind,
    target: OperationTarget,
    /// The document, where the call is about one.
    document: Option<String>,
    reason: Reason,
}

/// The reason why a call that needs an approval is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    /// An agent's key named no operation.
    Missing,
    /// The project has no such operation.
    NotFound,
    /// Another key asked for it.
    OtherKey,
    /// No one has decided, or a person refused, or the key's revocation canceled it.
    NotApproved(OperationStatus),
    /// Its time went by, at this time.
    Expired(Timestamp),
    /// It allowed one piece of work, which this request did.
    Used(Option<String>),
    /// It allows this kind of work.
    Kind(OperationKind),
    /// It allows work on this.
    Target(OperationTarget),
    /// It allows work on this document alone.
    Document(String),
    /// It allows restoring this version.
    Version(VersionId),
    /// It does not allow these languages.
    Languages(Vec<String>),
    /// It allows less than the run may cost.
    MaxCredits {
        /// Most that it allows.
        most: WholeCredits,
        /// Most that the run may cost.
        quote: Millicredits,
    },
    /// A person has agreed to pay less than the run may cost.
    Agreed {
        /// Most that they pay.
        agreed: Millicredits,
        /// Most that the run may cost.
        quote: Millicredits,
    },
    /// It allows archiving fewer keys than the run archives.
    MaxArchivedKeys {
        /// Most that it allows.
        most: u32,
        /// The number of keys that the run archives.
        archived: u64,
    },
}

impl Refusal {
    pub(super) fn new(work: &GatedCall<'_>, operation: Option<&OperationId>, reason: Reason) -> Self {
        Self {
            operation: operation.cloned(),
            kind: work.kind,
            target: work.target,
            document: work.document.map(str::to_owned),
            reason,
        }
    }

    /// The field `details` of the error: `reason`, the operation where one was named, else what to ask for, and what goes
    /// with the reason. A quote is in millicredits, `max_credits` in whole credits.
    #[must_use]
    pub fn details(&self) -> Map<String, Value> {
        let mut details = Map::new();
        let mut say = |name: &str, value: Value| details.insert(name.to_owned(), value);
        match &self.operation {
            Some(id) => say("operationId", json!(id)),
            None => {
                say("kind", json!(self.kind));
                if let Some(document) = &self.document {
                    say("docId", json!(document));
                }
                say("target", json!(self.target))
            }
        };
        let (reason, more) = match &self.reason {
            Reason::Missing => ("missing", None),
            Reason::NotFound => ("not_found", None),
            Reason::OtherKey => ("other_key", None),
            Reason::NotApproved(status) => ("not_approved", Some(("status", json!(status)))),
            Reason::Expired(at) => ("expired", Some(("expiresAt", json!(at)))),
            Reason::Used(request) => ("used", request.as_ref().map(|request| ("requestId", json!(request)))),
            Reason::Kind(kind) => ("kind", Some(("kind", json!(kind)))),
            Reason::Target(target) => ("target", Some(("target", json!(target)))),
            Reason::Document(document) => ("document", Some(("docId", json!(document)))),
            Reason::Version(version) => ("version", Some(("versionId", json!(version)))),
            Reason::Languages(languages) => ("languages", Some(("languages", json!(languages)))),
            Reason::MaxCredits { most, quote } => {
                say("estimatedCredits", json!(quote));
                ("max_credits", Some(("max_credits", json!(most))))
            }
            Reason::Agreed { agreed, quote } => {
                say("estimatedCredits", json!(quote));
                ("agreed", Some(("agreed", json!(agreed))))
            }
            Reason::MaxArchivedKeys { most, archived } => {
                say("archived", json!(archived));
                ("max_archived_keys", Some(("maxArchivedKeys", json!(most))))
            }
        };
        say("reason", json!(reason));
        if let Some((name, value)) = more {
            say(name, value);
        }
        details
    }
}

/// The refused work, as a verb phrase.
const fn wanted(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Translation => "run a translation",
        OperationKind::Publish => "publish",
        OperationKind::Rollback => "restore a version",
    }
}

/// The work that an operation allows, as a noun phrase.
const fn allowed(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Translation => "a translation",
        OperationKind::Publish => "a publish",
        OperationKind::Rollback => "a rollback",
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = wanted(self.kind);
        let Some(id) = &self.operation else {
            return match self.reason {
                Reason::Missing => write!(
                    f,
                    "an agent's key needs a person's approval to {wanted}: ask for it with `POST /operations`, and repeat \
                     this call with the `operationId` once it is approved"
                ),
                Reason::Agreed { agreed, quote } => {
                    write!(f, "the run may cost {quote}, and at most {agreed} was agreed: look at the price again")
                }
                _ => write!(f, "`operationId` is not an operation of this project: ask for one to {wanted}"),
            };
        };
        write!(f, "operation `{id}` ")?;
        match &self.reason {
            Reason::Missing | Reason::NotFound | Reason::Agreed { .. } => {
                write!(f, "does not belong to this project: ask for one to {wanted}")
            }
            Reason::OtherKey => {
                write!(f, "was asked for by another key, which alone may use it: ask for one with this key")
            }
            Reason::NotApproved(OperationStatus::Pending) => write!(
                f,
                "waits for a person's decision: wait for it with `GET /operations/{id}?waitSeconds=25`, then repeat this \
                 call"
            ),
            Reason::NotApproved(OperationStatus::Denied) => {
                write!(f, "was denied: `GET /operations/{id}` tells by whom and why")
            }
            Reason::NotApproved(status) => write!(f, "is {status}: ask for another one"),
            Reason::Expired(at) => write!(f, "expired at {at}: ask for another one"),
            Reason::Used(request) => {
                write!(f, "was used up")?;
                if let Some(request) = request {
                    write!(f, " by request `{request}`")?;
                }
                write!(f, ", and allows one piece of work: ask for another one")
            }
            Reason::Kind(kind) => {
                write!(f, "allows {}: ask for one to {wanted}", allowed(*kind))
            }
            Reason::Target(target) => {
                write!(f, "is for {target}: ask for one whose `target` is `{}`", self.target)
            }
            Reason::Document(document) => {
                write!(f, "allows work on `{document}` alone: name that one, or ask for an operation for this")
            }
            Reason::Version(version) => {
                write!(f, "allows restoring `{version}`: restore that one, or ask for an operation for this one")
            }
            Reason::Languages(languages) => write!(
                f,
                "does not allow {}: name in `languages` what it allows, or ask for an operation with these",
                languages.join(", ")
            ),
            Reason::MaxCredits { most, quote } => write!(
                f,
                "allows a run of at most {} credits, and this one may cost {quote}: ask for an operation with more \
                 `max_credits`, or translate less",
                most.0
            ),
            Reason::MaxArchivedKeys { most: 0, archived } => write!(
                f,
                "does not allow archiving keys, and this run archives {archived}: ask for an operation with \
                 `maxArchivedKeys`, or leave out `onRemoved`"
            ),
            Reason::MaxArchivedKeys { most, archived } => write!(
                f,
                "allows archiving at most {}, and this run archives {archived}: ask for an operation with more \
                 `maxArchivedKeys`, or leave out `onRemoved`",
                counted(*most, "key")
            ),
        }
    }
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> Self {
        Self::AuthorizationRequired(Box::new(refusal))
    }
}

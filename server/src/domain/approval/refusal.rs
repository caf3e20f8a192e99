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
    /// It keeps these languages live, and the publish leaves them out.
    LeftOut(Vec<String>),
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
            Reason::LeftOut(languages) => ("left_out", Some(("languages", json!(languages)))),
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
        _ => "restore a version",
    }
}

/// The work that an operation allows, as a noun phrase.
const fn allowed(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Translation => "a translation",
        OperationKind::Publish => "a publish",
        _ => "a rollback",
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
                    write!(
                        f,
                        "the run may cost {quote} credits, and at most {agreed} was agreed: look at the price again"
                    )
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
            Reason::LeftOut(languages) => write!(
                f,
                "allows a publish that keeps {} live, and this one leaves that out: name it in `languages`, or ask for an \
                 operation with the languages of this one",
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

#[cfg(test)]
mod tests {
    use super::*;

    fn said(work: &GatedCall<'_>, operation: Option<&str>, reason: Reason) -> String {
        let operation = operation.map(OperationId::from);
        let refusal = Refusal::new(work, operation.as_ref(), reason);
        format!("{refusal}\n{}", Value::Object(refusal.details()))
    }

    /// AUTH-11: who is refused for want of an operation learns what to ask for.
    #[test]
    fn without_an_operation_a_refusal_says_what_to_ask_for() {
        let version = VersionId::from("ver_1");
        let missing = |work: &GatedCall<'_>| said(work, None, Reason::Missing);
        let all = [
            missing(&GatedCall::translation(["de"])),
            missing(&GatedCall::document("doc", ["de"])),
            missing(&GatedCall::publish(&[], Vec::new())),
            missing(&GatedCall::rollback(&version)),
            said(&GatedCall::publish(&[], Vec::new()), None, Reason::NotFound),
            said(
                &GatedCall::translation(["de"]),
                None,
                Reason::Agreed { agreed: Millicredits(1_500), quote: Millicredits(2_000) },
            ),
        ];
        insta::assert_snapshot!(all.join("\n\n"), @r#"
        an agent's key needs a person's approval to run a translation: ask for it with `POST /operations`, and repeat this call with the `operationId` once it is approved
        {"kind":"translation","reason":"missing","target":"strings"}

        an agent's key needs a person's approval to run a translation: ask for it with `POST /operations`, and repeat this call with the `operationId` once it is approved
        {"docId":"doc","kind":"translation","reason":"missing","target":"content"}

        an agent's key needs a person's approval to publish: ask for it with `POST /operations`, and repeat this call with the `operationId` once it is approved
        {"kind":"publish","reason":"missing","target":"strings"}

        an agent's key needs a person's approval to restore a version: ask for it with `POST /operations`, and repeat this call with the `operationId` once it is approved
        {"kind":"rollback","reason":"missing","target":"strings"}

        `operationId` is not an operation of this project: ask for one to publish
        {"kind":"publish","reason":"not_found","target":"strings"}

        the run may cost 2.000 credits, and at most 1.500 was agreed: look at the price again
        {"agreed":1500,"estimatedCredits":2000,"kind":"translation","reason":"agreed","target":"strings"}
        "#);
    }

    /// OPS-4: each refusal of an operation says why, and what to do.
    #[test]
    fn a_refusal_of_an_operation_says_why_and_what_to_do() {
        let work = GatedCall::translation(["de"]);
        let at = "2026-11-21T23:59:59.999Z".parse().unwrap();
        let reasons = [
            Reason::NotFound,
            Reason::OtherKey,
            Reason::NotApproved(OperationStatus::Pending),
            Reason::NotApproved(OperationStatus::Denied),
            Reason::NotApproved(OperationStatus::Canceled),
            Reason::Expired(at),
            Reason::Used(None),
            Reason::Used(Some("req_1".into())),
            Reason::Kind(OperationKind::Translation),
            Reason::Kind(OperationKind::Publish),
            Reason::Kind(OperationKind::Rollback),
            Reason::Target(OperationTarget::Content),
            Reason::Document("doc".into()),
            Reason::Version("ver_1".into()),
            Reason::Languages(vec!["de".into(), "fr".into()]),
            Reason::LeftOut(vec!["de".into(), "fr".into()]),
            Reason::MaxCredits { most: WholeCredits(2), quote: Millicredits(2_500) },
            Reason::MaxArchivedKeys { most: 0, archived: 3 },
            Reason::MaxArchivedKeys { most: 1, archived: 3 },
        ];
        let all = reasons.map(|reason| said(&work, Some("op_1"), reason));
        insta::assert_snapshot!(all.join("\n\n"), @r#"
        operation `op_1` does not belong to this project: ask for one to run a translation
        {"operationId":"op_1","reason":"not_found"}

        operation `op_1` was asked for by another key, which alone may use it: ask for one with this key
        {"operationId":"op_1","reason":"other_key"}

        operation `op_1` waits for a person's decision: wait for it with `GET /operations/op_1?waitSeconds=25`, then repeat this call
        {"operationId":"op_1","reason":"not_approved","status":"pending"}

        operation `op_1` was denied: `GET /operations/op_1` tells by whom and why
        {"operationId":"op_1","reason":"not_approved","status":"denied"}

        operation `op_1` is canceled: ask for another one
        {"operationId":"op_1","reason":"not_approved","status":"canceled"}

        operation `op_1` expired at 2026-11-21T23:59:59.999Z: ask for another one
        {"expiresAt":"2026-11-21T23:59:59.999Z","operationId":"op_1","reason":"expired"}

        operation `op_1` was used up, and allows one piece of work: ask for another one
        {"operationId":"op_1","reason":"used"}

        operation `op_1` was used up by request `req_1`, and allows one piece of work: ask for another one
        {"operationId":"op_1","reason":"used","requestId":"req_1"}

        operation `op_1` allows a translation: ask for one to run a translation
        {"kind":"translation","operationId":"op_1","reason":"kind"}

        operation `op_1` allows a publish: ask for one to run a translation
        {"kind":"publish","operationId":"op_1","reason":"kind"}

        operation `op_1` allows a rollback: ask for one to run a translation
        {"kind":"rollback","operationId":"op_1","reason":"kind"}

        operation `op_1` is for content: ask for one whose `target` is `strings`
        {"operationId":"op_1","reason":"target","target":"content"}

        operation `op_1` allows work on `doc` alone: name that one, or ask for an operation for this
        {"docId":"doc","operationId":"op_1","reason":"document"}

        operation `op_1` allows restoring `ver_1`: restore that one, or ask for an operation for this one
        {"operationId":"op_1","reason":"version","versionId":"ver_1"}

        operation `op_1` does not allow de, fr: name in `languages` what it allows, or ask for an operation with these
        {"languages":["de","fr"],"operationId":"op_1","reason":"languages"}

        operation `op_1` allows a publish that keeps de, fr live, and this one leaves that out: name it in `languages`, or ask for an operation with the languages of this one
        {"languages":["de","fr"],"operationId":"op_1","reason":"left_out"}

        operation `op_1` allows a run of at most 2 credits, and this one may cost 2.500: ask for an operation with more `max_credits`, or translate less
        {"estimatedCredits":2500,"max_credits":2,"operationId":"op_1","reason":"max_credits"}

        operation `op_1` does not allow archiving keys, and this run archives 3: ask for an operation with `maxArchivedKeys`, or leave out `onRemoved`
        {"archived":3,"maxArchivedKeys":0,"operationId":"op_1","reason":"max_archived_keys"}

        operation `op_1` allows archiving at most 1 key, and this run archives 3: ask for an operation with more `maxArchivedKeys`, or leave out `onRemoved`
        {"archived":3,"maxArchivedKeys":1,"operationId":"op_1","reason":"max_archived_keys"}
        "#);
    }
}

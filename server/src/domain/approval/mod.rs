//! Work that an agent's key may not do by itself, and the person's approval that allows it (§5.7, API-COMPLETION 9).
//!
//! ```text
//! require ── 403 ── the call, its approval locked
//!    └─> covers ── 403 ── the quote fits
//!           └─> use_up ── in the transaction of the work
//! ```
//!
//! A key that may act by itself is held to the same rules where its call names an operation, so that a mistake shows.

mod refusal;

use l10n_api_types::operations::{OperationKind, OperationStatus, OperationTarget};
use l10n_api_types::publish::VersionLanguage;
use l10n_api_types::{Millicredits, OperationId, RequestId, VersionId};

pub(crate) use self::refusal::{Reason, Refusal};
use super::operations::state::OperationState;
use super::operations::{keys, whole};
use super::{Caller, ServiceError, pages};
use crate::clock::Timestamp;
use crate::store::{Tx, operations as rows};

/// A call that an agent's key needs an approval for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GatedCall<'a> {
    kind: OperationKind,
    target: OperationTarget,
    version: Option<&'a VersionId>,
    document: Option<&'a str>,
    /// Languages that an approval for some languages must include.
    languages: Vec<&'a str>,
    /// Languages that are live and will not be any more, although a publish could keep them.
    dropped: Vec<&'a str>,
}

impl<'a> GatedCall<'a> {
    /// A run over strings that translates into these languages, or takes translations into them over.
    pub(crate) fn translation(languages: impl IntoIterator<Item = &'a str>) -> Self {
        let languages = languages.into_iter().collect();
        Self {
            kind: OperationKind::Translation,
            target: OperationTarget::Strings,
            version: None,
            document: None,
            languages,
            dropped: Vec::new(),
        }
    }

    /// A run over a document that translates into these languages.
    pub(crate) fn document(document: &'a str, languages: impl IntoIterator<Item = &'a str>) -> Self {
        let of_strings = Self::translation(languages);
        Self { target: OperationTarget::Content, document: Some(document), ..of_strings }
    }

    /// A publish of strings that takes the `dropped` languages out of what is live. The base language is in every version, so
    /// that no approval needs to name it.
    #[must_use]
    pub(crate) fn publish(languages: &'a [VersionLanguage], dropped: Vec<&'a str>) -> Self {
        let languages = languages.iter().filter(|language| !language.is_base);
        Self {
            kind: OperationKind::Publish,
            target: OperationTarget::Strings,
            version: None,
            document: None,
            languages: languages.map(|language| language.code.as_str()).collect(),
            dropped,
        }
    }

    /// A publish of documents: of these, or of all that there are.
    #[must_use]
    pub(crate) fn publish_documents(documents: Option<&'a [String]>, languages: &'a [String]) -> Self {
        let document = match documents {
            Some([document]) => Some(document.as_str()),
            _ => None,
        };
        Self {
            kind: OperationKind::Publish,
            target: OperationTarget::Content,
            version: None,
            document,
            languages: languages.iter().map(String::as_str).collect(),
            dropped: Vec::new(),
        }
    }

    /// Making this version of a document live again.
    #[must_use]
    pub(crate) fn rollback_document(version: &'a VersionId) -> Self {
        Self { target: OperationTarget::Content, ..Self::rollback(version) }
    }

    /// Making this version of the strings live again.
    #[must_use]
    pub(crate) fn rollback(version: &'a VersionId) -> Self {
        Self {
            kind: OperationKind::Rollback,
            target: OperationTarget::Strings,
            version: Some(version),
            document: None,
            languages: Vec::new(),
            dropped: Vec::new(),
        }
    }
}

/// The leave to do some work, held to the end of the transaction. It has to be used up where the work is done.
#[derive(Debug)]
#[must_use = "an approval that is not used up counts again"]
pub(crate) struct Approval<'a> {
    work: GatedCall<'a>,
    /// The operation that gives it; `None` for a key that needs none, and for a person.
    operation: Option<rows::Operation>,
    /// Most that a person has agreed to pay.
    agreed: Option<Millicredits>,
}

/// Lets a call pass: a key that acts by itself and names no operation, and any other if its operation allows this.
///
/// The operation is locked: of two calls that name one, the later sees the effect of the first. Lock the project
/// before.
///
/// # Errors
///
/// [`ServiceError::AuthorizationRequired`] with the reason.
pub(crate) async fn require<'a>(
    tx: &mut Tx,
    caller: &Caller,
    operation: Option<&OperationId>,
    work: GatedCall<'a>,
    now: Timestamp,
) -> Result<Approval<'a>, ServiceError> {
    let Some(id) = operation else {
        return match caller.needs_approval() {
            true => Err(Refusal::new(&work, None, Reason::Missing).into()),
            false => Ok(Approval { work, operation: None, agreed: None }),
        };
    };
    let found = match pages::is_id(id.as_str()) {
        true => rows::lock(tx, id.as_str()).await?,
        false => None,
    };
    let found = found.filter(|row| row.project_id == caller.project);
    // A text that can be no id is not repeated: it may be anything.
    let named = Some(id).filter(|id| pages::is_id(id.as_str()));
    let row = found.ok_or_else(|| Refusal::new(&work, named, Reason::NotFound))?;
    match mismatch(&row, caller, &work, now) {
        Some(reason) => Err(Refusal::new(&work, Some(id), reason).into()),
        None => Ok(Approval { work, operation: Some(row), agreed: None }),
    }
}

/// The first reason why an operation of the project does not allow this work.
fn mismatch(row: &rows::Operation, caller: &Caller, work: &GatedCall<'_>, now: Timestamp) -> Option<Reason> {
    if row.api_key_id != caller.key.as_str() {
        return Some(Reason::OtherKey);
    }
    match OperationState::from(row).seen(now) {
        OperationStatus::Approved => {}
        OperationStatus::Used => return Some(Reason::Used(row.request_id.clone())),
        OperationStatus::Expired => return Some(Reason::Expired(row.expires_at)),
        status => return Some(Reason::NotApproved(status)),
    }
    if row.kind != work.kind {
        return Some(Reason::Kind(row.kind));
    }
    if row.target != work.target {
        return Some(Reason::Target(row.target));
    }
    if let Some(document) = row.document_id.as_deref().filter(|document| work.document != Some(*document)) {
        return Some(Reason::Document(document.to_owned()));
    }
    if let Some(version) = row.version_id.as_ref().filter(|version| work.version != Some(*version)) {
        return Some(Reason::Version(version.clone()));
    }
    let limits = row.languages.as_ref().map(|languages| &languages.0);
    let allowed =
        |language: &&&str| limits.is_none_or(|limits| limits.iter().any(|limit| limit.as_str() == **language));
    let named = |languages: Vec<&&str>| languages.into_iter().map(|language| (*language).to_owned()).collect();
    let (_, beyond): (Vec<&&str>, Vec<&&str>) = work.languages.iter().partition(allowed);
    if !beyond.is_empty() {
        return Some(Reason::Languages(named(beyond)));
    }
    // The person was shown a publish that keeps them live.
    let dropped: Vec<&&str> = work.dropped.iter().filter(allowed).collect();
    (!dropped.is_empty()).then(|| Reason::LeftOut(named(dropped)))
}

impl<'a> Approval<'a> {
    /// The leave of a person who does the work by themselves, and has agreed to pay at most this.
    pub(crate) const fn of_person(work: GatedCall<'a>, agreed: Millicredits) -> Self {
        Self { work, operation: None, agreed: Some(agreed) }
    }

    /// Compares the quote of a run, and the number of keys that it archives, with the approval.
    ///
    /// # Errors
    ///
    /// [`ServiceError::AuthorizationRequired`] for a quote or a number above that.
    pub(crate) fn covers(&self, quote: Millicredits, archived: u64) -> Result<(), ServiceError> {
        if let Some(agreed) = self.agreed.filter(|agreed| quote > *agreed) {
            return Err(Refusal::new(&self.work, None, Reason::Agreed { agreed, quote }).into());
        }
        let Some(row) = &self.operation else { return Ok(()) };
        let refuse = |reason| Err(Refusal::new(&self.work, Some(&OperationId::from(row.id.as_str())), reason).into());
        match row.max_credits.map(whole) {
            Some(most) if quote > Millicredits::from(most) => return refuse(Reason::MaxCredits { most, quote }),
            _ => {}
        }
        // A person who was not asked about archiving has not allowed it.
        let most = row.max_archived_keys.map_or(0, keys);
        if archived > u64::from(most) {
            return refuse(Reason::MaxArchivedKeys { most, archived });
        }
        Ok(())
    }

    /// Uses it up, in the transaction of the work.
    pub(crate) async fn use_up(self, tx: &mut Tx, request: &RequestId, now: Timestamp) -> Result<(), ServiceError> {
        let Some(row) = self.operation else { return Ok(()) };
        match rows::use_up(tx, &row.id, request, now).await? {
            true => Ok(()),
            false => Err(ServiceError::internal(format!("the operation {} was locked and changed", row.id))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_pays_no_more_than_was_agreed() {
        let approval = Approval::of_person(GatedCall::publish_documents(None, &[]), Millicredits(5));
        for quote in [0, 4, 5] {
            assert!(approval.covers(Millicredits(quote), 0).is_ok(), "{quote}");
        }
        for quote in [6, 1_000] {
            let refused = approval.covers(Millicredits(quote), 0).unwrap_err();
            assert!(matches!(refused, ServiceError::AuthorizationRequired(_)), "{refused:?}");
        }
        // People need nobody's leave to archive keys.
        assert!(approval.covers(Millicredits(5), 1_000).is_ok());
    }
}

//! Asking for an operation.

use l10n_api_types::operations::{CreateBody, Operation, OperationKind, OperationTarget};
use l10n_api_types::{DocumentId, LanguageCode, ProjectId, VersionId, WholeCredits};
use l10n_formats::locales;

use super::state::OperationState;
use super::{LONGEST_OPERATION_NOTE, entry, is_showable};
use crate::clock::Clock;
use crate::config::Settings;
use crate::domain::{Caller, ServiceError, pages};
use crate::ids::{IdKind, new_id};
use crate::store::languages::Language;
use crate::store::operations::{self as rows, NewOperation};
use crate::store::{Tx, api_keys, document_versions, documents, languages, versions};

/// Most operations of one key that wait for a decision. Each is kept for a day, and people have to find the others among them.
const MOST_PENDING: i64 = 1_000;

/// Asks a person to approve something. The operation counts for the caller's key alone.
///
/// # Errors
///
/// 400 naming the field that does not go with the kind, 404 for a version or document that the project does not have, 409 when as
/// many operations of the key wait for a decision as may.
pub(crate) async fn create(
    tx: &mut Tx,
    clock: &dyn Clock,
    settings: &Settings,
    caller: &Caller,
    asked: CreateBody,
) -> Result<Operation, ServiceError> {
    let project = &caller.project;
    let target = target(&asked)?;
    check_fields(&asked, target)?;
    // A key's revocation cancels its requests, so none may be made after it; and each is counted by the next one.
    if !api_keys::hold(tx, caller.key.as_str()).await? {
        return Err(ServiceError::Unauthorized("the key has been revoked"));
    }
    let document = match &asked.doc_id {
        Some(id) if pages::is_id(id.as_str()) => {
            let found = documents::find(tx, project, id.as_str()).await?;
            found.filter(|document| document.archived_at.is_none())
        }
        _ => None,
    };
    let languages = match &asked.languages {
        Some(codes) => {
            let all = languages::list(tx, project).await?;
            // A document is in a language of its own; which documents a run without `docId` is for is not known yet.
            let source = match (target, &document) {
                (OperationTarget::Content, Some(document)) => Some(&document.language),
                (OperationTarget::Content, None) => None,
                _ => all.iter().find(|language| language.is_base).map(|base| &base.code),
            };
            let source = source.filter(|_| asked.kind == OperationKind::Translation);
            Some(limits(codes, &all, source.map(String::as_str))?)
        }
        None => None,
    };
    if let Some(version) = &asked.version_id
        && !is_published(tx, project, target, version).await?
    {
        return Err(ServiceError::VersionNotFound(version.clone()));
    }
    if let (Some(id), None) = (&asked.doc_id, &document) {
        return Err(unknown_document(id));
    }
    let now = clock.now();
    let of_key = (project, caller.key.as_str());
    if rows::count_pending_of_key(tx, of_key, now, MOST_PENDING).await? >= MOST_PENDING {
        return Err(ServiceError::OperationLimit(MOST_PENDING));
    }
    let id = new_id(IdKind::Operation, now);
    let new = NewOperation {
        id: &id,
        project_id: project,
        api_key_id: caller.key.as_str(),
        kind: asked.kind,
        target,
        max_credits: asked.max_credits.map(|WholeCredits(credits)| credits),
        max_archived_keys: asked.max_archived_keys,
        version_id: asked.version_id.as_ref(),
        document_id: asked.doc_id.as_ref().map(AsRef::as_ref),
        languages: languages.as_deref(),
        note: asked.note.as_deref().filter(|note| !note.is_empty()),
        created_at: now,
        expires_at: OperationState::asked(now).expires_at,
    };
    rows::insert(tx, new).await?;
    let row = rows::find(tx, &id).await?.ok_or_else(|| ServiceError::internal("an operation was not kept"))?;
    Ok(entry(settings, row, now))
}

fn invalid(message: impl Into<String>) -> ServiceError {
    ServiceError::InvalidArgument(message.into())
}

fn target(asked: &CreateBody) -> Result<OperationTarget, ServiceError> {
    let of_document = |id: &VersionId| id.as_str().starts_with(IdKind::DocumentVersion.prefix());
    let version = asked.version_id.as_ref().map(of_document);
    match (asked.target, &asked.doc_id, version) {
        (Some(OperationTarget::Strings), Some(_), _) => {
            Err(invalid("`docId` names a document, and `target` is `strings`: leave one of them out"))
        }
        (Some(OperationTarget::Strings), _, Some(true)) => {
            Err(invalid("`versionId` is a document's, and `target` is `strings`: leave it out"))
        }
        (Some(OperationTarget::Content), _, Some(false)) => {
            Err(invalid("`versionId` is not a document's, and `target` is `content`: leave it out"))
        }
        (Some(target), ..) => Ok(target),
        (None, Some(_), _) | (None, _, Some(true)) => Ok(OperationTarget::Content),
        (None, None, _) => Ok(OperationTarget::Strings),
    }
}

/// Returns whether the project has published this version, of its keys or of a document.
async fn is_published(
    tx: &mut Tx,
    project: &ProjectId,
    target: OperationTarget,
    version: &VersionId,
) -> Result<bool, ServiceError> {
    if !pages::is_id(version.as_str()) {
        return Ok(false);
    }
    Ok(match target {
        OperationTarget::Content => document_versions::find(tx, project, version).await?.is_some(),
        _ => versions::find(tx, project, version).await?.is_some(),
    })
}

/// Holds the fields against the kind, without a look at the project.
fn check_fields(asked: &CreateBody, target: OperationTarget) -> Result<(), ServiceError> {
    let kind = asked.kind;
    if asked.max_archived_keys.is_some() {
        if kind != OperationKind::Translation {
            return Err(invalid(format!("`maxArchivedKeys` is for a translation: a {kind} archives no keys")));
        }
        if target == OperationTarget::Content {
            return Err(invalid("`maxArchivedKeys` is for strings: a run over a document archives no keys"));
        }
    }
    match (kind, asked.max_credits) {
        (OperationKind::Translation, None) => {
            return Err(invalid("`max_credits` is needed: the most that the run may be quoted, in whole credits"));
        }
        (OperationKind::Publish | OperationKind::Rollback, Some(_)) => {
            return Err(invalid(format!("`max_credits` is for a translation: a {kind} costs nothing")));
        }
        _ => {}
    }
    match (kind, &asked.version_id) {
        (OperationKind::Rollback, None) => return Err(invalid("`versionId` is needed: the version to restore")),
        (OperationKind::Translation | OperationKind::Publish, Some(_)) => {
            return Err(invalid(format!("`versionId` is for a rollback, not for a {kind}")));
        }
        _ => {}
    }
    if kind == OperationKind::Rollback {
        if asked.languages.is_some() {
            return Err(invalid(
                "`languages` is not for a rollback, which restores a version with all of its languages",
            ));
        }
        if asked.doc_id.is_some() {
            return Err(invalid("`docId` is not for a rollback: `versionId` says what is restored"));
        }
    }
    match &asked.note {
        Some(note) if !is_showable(note) => Err(invalid(format!(
            "`note` must be at most {LONGEST_OPERATION_NOTE} characters long, without control characters other than \
             line feeds and tabs"
        ))),
        _ => Ok(()),
    }
}

/// The languages that an approval is limited to, in canonical form, each once; `source` is not translated into.
fn limits(
    asked: &[LanguageCode],
    project: &[Language],
    source: Option<&str>,
) -> Result<Vec<LanguageCode>, ServiceError> {
    if asked.is_empty() {
        return Err(ServiceError::no_language_named());
    }
    let mut limits: Vec<LanguageCode> = Vec::new();
    for (index, code) in asked.iter().enumerate() {
        let code =
            locales::canonicalize(code.as_str()).map_err(|error| invalid(format!("`languages[{index}]`: {error}")))?;
        match project.iter().find(|language| language.code == code) {
            None => return Err(invalid(format!("`languages[{index}]`: the project has no language `{code}`"))),
            Some(language) if source == Some(&language.code) => {
                let what = if language.is_base { "base language" } else { "language of the document" };
                return Err(invalid(format!(
                    "`languages[{index}]`: `{code}` is the {what}, which is not translated into"
                )));
            }
            Some(_) => {}
        }
        let code = LanguageCode::new(code);
        if !limits.contains(&code) {
            limits.push(code);
        }
    }
    Ok(limits)
}

fn unknown_document(document: &DocumentId) -> ServiceError {
    ServiceError::NotFound(format!("this project has no document `{}`", document.as_str().escape_debug()))
}

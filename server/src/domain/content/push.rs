//! `POST /content` and `PUT /content/{docId}`: a document's text comes in.

use std::collections::HashSet;

use l10n_api_types::content::{Document, DocumentFormat, NewDocument};
use l10n_api_types::{DailyBudget, VersionId};
use l10n_formats::SourceHash;

use super::fields::{DocumentNames, names};
use super::parsed::{Parsed, compare};
use super::translated::distinct;
use super::{describe, find};
use crate::clock::{Clock, Timestamp};
use crate::compute::{MANY, compute};
use crate::config::Settings;
use crate::domain::run::targets::of_project;
use crate::domain::{Caller, ServiceError, budgets, credits};
use crate::ids::{IdKind, new_id};
use crate::store::document_sources::{self, NewSource};
use crate::store::{Tx, documents, languages, lock, retention, segments};

/// The parts of the server that pushes use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PushParts<'a> {
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The settings, which have limits and plans.
    pub settings: &'a Settings,
}

/// Takes in a new document, whose `body` was read as `parsed`.
///
/// # Errors
///
/// 400 for the fields, 429 after the day's imports, 409 for an external id that is another document's, 402 for the plan.
pub(crate) async fn create(
    tx: &mut Tx,
    parts: PushParts<'_>,
    caller: &Caller,
    new: NewDocument,
    parsed: &Parsed,
) -> Result<Document, ServiceError> {
    let project = &caller.project;
    lock::project(tx, project).await?;
    let DocumentNames { title, external_id } = names(new.title, new.external_id)?;
    let languages = languages::list(tx, project).await?;
    let language = match &new.language {
        Some(code) => Some(of_project(code, "language", &languages)?),
        None => languages.iter().find(|language| language.is_base),
    };
    let language = language.ok_or_else(|| ServiceError::internal("a project has no base language"))?;
    let now = parts.clock.now();
    budgets::take(tx, project, DailyBudget::Imports, 1, &parts.settings.limits, now).await?;
    check_external_id(tx, caller, external_id.as_deref(), None).await?;
    check_plan(tx, parts.settings, caller).await?;

    let (id, source_id) = (new_id(IdKind::Document, now), VersionId::new(new_id(IdKind::DocumentVersion, now)));
    let document = documents::NewDocument {
        id: &id,
        project_id: project,
        external_id: external_id.as_deref(),
        title: title.as_deref(),
        format: new.format,
        language: &language.code,
        source_id: &source_id,
        created_at: now,
    };
    documents::insert(tx, document).await?;
    let source = source(&source_id, &id, parsed, &[], now);
    document_sources::insert(tx, source).await?;
    keep(tx, caller, &language.code, parsed, now).await?;
    let row = find(tx, caller, &id).await?;
    describe::one(tx, caller, row).await
}

/// The format in which a document is pushed, which never changes.
///
/// # Errors
///
/// 404 for a document that the project does not have.
pub(crate) async fn format_of(tx: &mut Tx, caller: &Caller, id: &str) -> Result<DocumentFormat, ServiceError> {
    Ok(find(tx, caller, id).await?.format)
}

/// Replaces a document's text, whose `body` was read as `parsed`.
///
/// # Errors
///
/// 404 for a document that the project does not have, 429 after the day's imports, 409 for a source that is no longer
/// `expected` and for an external id that is another document's.
pub(crate) async fn update(
    tx: &mut Tx,
    parts: PushParts<'_>,
    caller: &Caller,
    id: &str,
    names: DocumentNames,
    expected: Option<&VersionId>,
    parsed: &Parsed,
) -> Result<Document, ServiceError> {
    let project = &caller.project;
    lock::project(tx, project).await?;
    let DocumentNames { title, external_id } = names;
    let held = find(tx, caller, id).await?;
    let now = parts.clock.now();
    budgets::take(tx, project, DailyBudget::Imports, 1, &parts.settings.limits, now).await?;
    if expected.is_some_and(|expected| *expected != held.source_id) {
        return Err(ServiceError::VersionConflict(held.source_id));
    }
    check_external_id(tx, caller, external_id.as_deref(), Some(id)).await?;

    let title = title.or_else(|| held.title.clone());
    let external_id = external_id.or_else(|| held.external_id.clone());
    let same_text = is_of_text(tx, &held, parsed).await?;
    let source_id =
        if same_text { held.source_id.clone() } else { VersionId::new(new_id(IdKind::DocumentVersion, now)) };
    if !same_text {
        let source = source(&source_id, id, parsed, &held.segments.0, now);
        document_sources::insert(tx, source).await?;
        document_sources::supersede(tx, &held.source_id, now).await?;
        // Their time begins now, whenever they came.
        retention::touch_segments(tx, project, &held.language, &lost(&held.segments.0, &parsed.hashes), now).await?;
    } else if held.source_sha256.is_none() {
        document_sources::set_sha256(tx, &source_id, &parsed.sha256).await?;
    }
    keep(tx, caller, &held.language, parsed, now).await?;
    if !same_text || title != held.title || external_id != held.external_id {
        let change = documents::DocumentChange {
            external_id: external_id.as_deref(),
            title: title.as_deref(),
            source_id: &source_id,
        };
        documents::change(tx, id, change, now).await?;
    }
    let row = find(tx, caller, id).await?;
    describe::one(tx, caller, row).await
}

/// Returns whether the source of a document is this text. A source that was written before its SHA-256 was kept is
/// read.
pub(super) async fn is_of_text(tx: &mut Tx, held: &documents::Document, parsed: &Parsed) -> Result<bool, ServiceError> {
    Ok(match held.source_sha256 {
        Some(sha256) => sha256 == parsed.sha256,
        None => document_sources::body(tx, &held.id, &held.source_id).await?.as_deref() == Some(parsed.body.as_str()),
    })
}

/// Keeps the texts of a document. Texts that are missing come back with a push, although it changes nothing.
pub(super) async fn keep(
    tx: &mut Tx,
    caller: &Caller,
    language: &str,
    parsed: &Parsed,
    now: Timestamp,
) -> Result<(), ServiceError> {
    Ok(segments::keep(tx, &caller.project, language, &parsed.segments, now).await?)
}

/// The segments that a document had and has no longer, each once.
fn lost(before: &[SourceHash], after: &[SourceHash]) -> Vec<SourceHash> {
    compute(before.len().max(after.len()) >= MANY, || {
        let after: HashSet<&SourceHash> = after.iter().collect();
        distinct(before).into_iter().filter(|hash| !after.contains(hash)).collect()
    })
}

fn source<'a>(
    id: &'a VersionId,
    document_id: &'a str,
    parsed: &'a Parsed,
    before: &[SourceHash],
    created_at: Timestamp,
) -> NewSource<'a> {
    NewSource {
        id,
        document_id,
        title: parsed.title.as_deref(),
        body: &parsed.body,
        sha256: &parsed.sha256,
        characters: parsed.characters,
        segments: &parsed.hashes,
        counts: compare(before, &parsed.hashes),
        created_at,
    }
}

/// Checks that no document of the project other than `own` has this external id.
async fn check_external_id(
    tx: &mut Tx,
    caller: &Caller,
    external_id: Option<&str>,
    own: Option<&str>,
) -> Result<(), ServiceError> {
    let Some(external_id) = external_id else { return Ok(()) };
    match documents::id_of(tx, &caller.project, external_id).await? {
        Some(other) if Some(other.as_str()) != own => Err(ServiceError::ExternalIdExists(other)),
        _ => Ok(()),
    }
}

/// Checks that the plan has room for one more document.
pub(super) async fn check_plan(tx: &mut Tx, settings: &Settings, caller: &Caller) -> Result<(), ServiceError> {
    let workspace = credits::workspace(tx, &caller.workspace).await?;
    let Some(limit) = settings.plan(&workspace.plan).documents else { return Ok(()) };
    let wanted = u64::try_from(documents::count(tx, &caller.project).await?).unwrap_or_default() + 1;
    match wanted > limit {
        true => Err(ServiceError::PlanLimit { feature: "documents", limit, wanted }),
        false => Ok(()),
    }
}

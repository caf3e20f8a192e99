//! `POST /content` with `documents`: many documents in one transaction, each taken as a whole or not at all.

use std::collections::HashMap;

use l10n_api_types::content::{Document as Shown, LARGEST_BATCH, NewDocument, PushBody, PushStatus, PushedDocument};
use l10n_api_types::{DocumentId, ErrorBody};

use super::fields::names;
use super::parsed::{Parsed, parse};
use super::push::{self, PushParts};
use crate::domain::{Caller, ServiceError};
use crate::store::documents::{self, Document};
use crate::store::{Tx, lock};

/// The documents of a push.
#[derive(Debug)]
pub(crate) enum DocumentPush {
    /// One new document.
    One(NewDocument),
    /// Documents that are made or changed, each with an external id that no other of them has.
    Many(Vec<NewDocument>),
}

impl DocumentPush {
    /// Tells the two kinds of a body apart.
    ///
    /// # Errors
    ///
    /// 400 for fields that do not go together or are missing, for too many documents, and for an external id that is
    /// missing or there twice.
    pub(crate) fn read(body: PushBody) -> Result<Self, ServiceError> {
        let invalid = |message: &str| ServiceError::InvalidArgument(message.to_owned());
        let PushBody { title, external_id, format, language, body, documents } = body;
        let Some(documents) = documents else {
            let format = format.ok_or_else(|| invalid("`format` is missing in the body"))?;
            let body = body.ok_or_else(|| invalid("`body` is missing in the body"))?;
            return Ok(Self::One(NewDocument { title, external_id, format, language, body }));
        };
        if title.is_some() || external_id.is_some() || format.is_some() || language.is_some() || body.is_some() {
            return Err(invalid("`documents` must be the only field: a document's own fields belong in its element"));
        }
        if documents.is_empty() || documents.len() > LARGEST_BATCH {
            return Err(ServiceError::InvalidArgument(format!("`documents` must have 1 to {LARGEST_BATCH} elements")));
        }
        check_external_ids(&documents)?;
        Ok(Self::Many(documents))
    }
}

fn check_external_ids(documents: &[NewDocument]) -> Result<(), ServiceError> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(documents.len());
    for (at, document) in documents.iter().enumerate() {
        let Some(id) = document.external_id.as_deref() else {
            return Err(ServiceError::InvalidArgument(format!("`documents[{at}].externalId` is missing")));
        };
        if let Some(before) = seen.insert(id, at) {
            return Err(ServiceError::InvalidArgument(format!(
                "`documents[{at}].externalId` is that of `documents[{before}]`"
            )));
        }
    }
    Ok(())
}

/// A document of a batch, its text read or found unreadable.
#[derive(Debug)]
pub(crate) struct ReadDocument {
    external_id: String,
    new: NewDocument,
    parsed: Result<Parsed, ServiceError>,
}

/// Reads the texts of a batch, before any transaction is open.
///
/// # Errors
///
/// [`ServiceError::Internal`] alone: a text that cannot be read fails by itself, later.
pub(crate) async fn read_batch(documents: Vec<NewDocument>) -> Result<Vec<ReadDocument>, ServiceError> {
    let mut read = Vec::with_capacity(documents.len());
    for mut new in documents {
        let parsed = parse(new.format, std::mem::take(&mut new.body)).await;
        if let Err(error @ ServiceError::Internal(_)) = parsed {
            return Err(error);
        }
        read.push(ReadDocument { external_id: new.external_id.clone().unwrap_or_default(), new, parsed });
    }
    Ok(read)
}

/// Makes and changes the documents of a batch; returns a result for each, in their order.
/// A document that a rule refuses is a result, and writes nothing.
pub(crate) async fn push_batch(
    tx: &mut Tx,
    parts: PushParts<'_>,
    caller: &Caller,
    read: Vec<ReadDocument>,
) -> Result<Vec<PushedDocument>, ServiceError> {
    lock::project(tx, &caller.project).await?;
    let mut results = Vec::with_capacity(read.len());
    for document in read {
        let external_id = document.external_id.clone();
        let held = held(tx, caller, &external_id).await?;
        let id = held.as_ref().map(|held| DocumentId::new(held.id.clone()));
        let result = match one(tx, parts, caller, document, held).await {
            Ok(pushed) => pushed,
            Err(error) if is_of_the_document(&error) => {
                let error = Some(ErrorBody::from(&error));
                PushedDocument { external_id, status: PushStatus::Failed, doc_id: id, segments: None, error }
            }
            Err(error) => return Err(error),
        };
        results.push(result);
    }
    Ok(results)
}

/// Returns whether a rule refused one document, before anything of it was written; all other errors end the
/// transaction.
fn is_of_the_document(error: &ServiceError) -> bool {
    matches!(
        error,
        ServiceError::InvalidArgument(_)
            | ServiceError::DocumentUnparseable { .. }
            | ServiceError::PlanLimit { .. }
            | ServiceError::DailyLimitReached { .. }
    )
}

async fn held(tx: &mut Tx, caller: &Caller, external_id: &str) -> Result<Option<Document>, ServiceError> {
    match documents::id_of(tx, &caller.project, external_id).await? {
        Some(id) => super::find(tx, caller, &id).await.map(Some),
        None => Ok(None),
    }
}

async fn one(
    tx: &mut Tx,
    parts: PushParts<'_>,
    caller: &Caller,
    document: ReadDocument,
    held: Option<Document>,
) -> Result<PushedDocument, ServiceError> {
    let ReadDocument { external_id, new, parsed } = document;
    let parsed = parsed?;
    let Some(held) = held else {
        // Before the day's imports are counted: of a batch they stay counted when one of its documents fails.
        push::check_plan(tx, parts.settings, caller).await?;
        let made = push::create(tx, parts, caller, new, &parsed).await?;
        return Ok(written(external_id, PushStatus::Created, made));
    };
    check_same_kind(&new, &held)?;
    let names = names(new.title, Some(external_id.clone()))?;
    let same_title = names.title.is_none() || names.title == held.title;
    if same_title && push::is_of_text(tx, &held, &parsed).await? {
        push::keep(tx, caller, &held.language, &parsed, parts.clock.now()).await?;
        let (status, doc_id) = (PushStatus::Unchanged, Some(held.id.into()));
        return Ok(PushedDocument { external_id, status, doc_id, segments: None, error: None });
    }
    let changed = push::update(tx, parts, caller, &held.id, names, None, &parsed).await?;
    Ok(written(external_id, PushStatus::Updated, changed))
}

fn written(external_id: String, status: PushStatus, document: Shown) -> PushedDocument {
    let segments = Some(document.segments);
    PushedDocument { external_id, status, doc_id: Some(document.doc_id), segments, error: None }
}

/// A document keeps the format and the language that it was made with.
fn check_same_kind(new: &NewDocument, held: &Document) -> Result<(), ServiceError> {
    if new.format != held.format {
        return Err(ServiceError::InvalidArgument(format!(
            "`format`: the document is {} and stays so; push {} under another `externalId`",
            held.format, new.format
        )));
    }
    let language = new.language.as_ref().and_then(|code| l10n_formats::locales::canonicalize(code.as_str()).ok());
    match (&new.language, language) {
        (Some(asked), canonical) if canonical.as_deref() != Some(held.language.as_str()) => {
            Err(ServiceError::InvalidArgument(format!(
                "`language`: the document is written in `{}` and stays so, not in `{asked}`",
                held.language
            )))
        }
        _ => Ok(()),
    }
}

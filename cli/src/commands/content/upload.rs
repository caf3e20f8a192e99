//! Uploads of documents: new ones in batches, changed ones one by one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt as _, stream};
use l10n_client::api::content::{
    CONTENT_BODY_CAP, Document, DocumentUpdate, DocumentsPushed, LARGEST_BATCH, NewDocument, PushStatus,
    PushedDocument, SegmentCounts,
};
use l10n_client::api::{DocumentId, ErrorBody, ErrorCode, RequestId};
use l10n_client::{CallOptions, Content};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::document_files::DocumentFile;
use crate::error::{BrokenFile, CliError, Doing as _};
use crate::hash::is_sha256;
use crate::progress::Progress;
use crate::run::{DOCUMENTS_AT_ONCE, DocumentRefused, is_about_the_document};
use crate::session::Session;
use crate::source_files::SourceError;

/// Bytes of a request that documents may take; the rest of the cap is for the enclosing JSON.
const BATCH_ROOM: usize = CONTENT_BODY_CAP - 1024;

/// A file, compared with the document on the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PushState {
    New,
    Changed,
    Unchanged,
}

/// A document on the server, and its segments compared with the previous ones.
pub(super) type Written = (DocumentId, Option<SegmentCounts>);

/// The outcome for a file.
pub(super) type PushOutcome = Result<(PushState, Option<Written>), CliError>;

/// Pushes new documents in batches and changed ones one by one, several requests in parallel, until a failure concerns
/// more than its document.
pub(super) async fn push_all<'a>(
    context: &Context,
    session: &Session,
    files: &'a [DocumentFile],
    held: &HashMap<&str, &Document>,
    dry_run: bool,
) -> Vec<(&'a DocumentFile, PushOutcome)> {
    let bar = Progress::new(&context.printer, "Pushing", files.len() as u64);
    // A request that is resent after a lost answer is done once.
    let content = session.project.with(CallOptions::default().idempotent()).content();
    let stopped = AtomicBool::new(false);
    let (bar, content, stopped) = (&bar, &content, &stopped);
    let groups = grouped(files, |file| held.contains_key(file.path.as_str()));
    let pushes = groups.into_iter().map(|group| async move {
        if stopped.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let outcomes = match group {
            UploadGroup::Held(file) => {
                bar.say(format!("Pushing {}", file.path));
                vec![(file, push_held(content, file, held.get(file.path.as_str()).copied(), dry_run).await)]
            }
            UploadGroup::New(files) => {
                bar.say(format!("Pushing {} new documents", files.len()));
                push_new(content, files, dry_run).await
            }
        };
        outcomes.iter().for_each(|_| bar.step());
        if end_the_push(&outcomes) {
            stopped.store(true, Ordering::Relaxed);
        }
        outcomes
    });
    let mut outcomes: Vec<_> =
        stream::iter(pushes).buffered(DOCUMENTS_AT_ONCE).collect::<Vec<_>>().await.into_iter().flatten().collect();
    let place = |file: &DocumentFile| files.iter().position(|other| other.path == file.path);
    outcomes.sort_by_key(|(file, _)| place(file));
    outcomes
}

/// Returns true if one of them failed for a reason that concerns the others, too.
fn end_the_push(outcomes: &[(&DocumentFile, PushOutcome)]) -> bool {
    outcomes.iter().any(|(_, outcome)| outcome.as_ref().is_err_and(|error| !is_about_the_document(error)))
}

/// Documents that are pushed in one request, or in a few consecutive ones.
enum UploadGroup<'a> {
    /// A document that the server has.
    Held(&'a DocumentFile),
    /// Documents that the server does not have.
    New(Vec<&'a DocumentFile>),
}

fn grouped<'a>(files: &'a [DocumentFile], is_held: impl Fn(&DocumentFile) -> bool) -> Vec<UploadGroup<'a>> {
    let (held, new): (Vec<_>, Vec<_>) = files.iter().partition(|file| is_held(file));
    let new = new.chunks(LARGEST_BATCH).map(|files| UploadGroup::New(files.to_vec()));
    held.into_iter().map(UploadGroup::Held).chain(new).collect()
}

/// Pushes documents that the server does not have, as many per request as its cap allows.
async fn push_new<'a>(
    content: &Content,
    files: Vec<&'a DocumentFile>,
    dry_run: bool,
) -> Vec<(&'a DocumentFile, PushOutcome)> {
    let mut outcomes = Vec::with_capacity(files.len());
    let mut batch = Vec::new();
    let mut bytes = 0;
    for file in files {
        let (document, size) = match read_new(file) {
            Ok(read) => read,
            Err(error) => {
                outcomes.push((file, Err(error)));
                continue;
            }
        };
        if dry_run {
            outcomes.push((file, Ok((PushState::New, None))));
            continue;
        }
        if bytes + size > BATCH_ROOM {
            let sent = send(content, std::mem::take(&mut batch)).await;
            let is_over = end_the_push(&sent);
            outcomes.extend(sent);
            if is_over {
                return outcomes;
            }
            bytes = 0;
        }
        bytes += size;
        batch.push((file, document));
    }
    outcomes.extend(send(content, batch).await);
    outcomes
}

/// Reads a document that the server does not have; returns the number of bytes that it takes in a request, with its
/// comma.
fn read_new(file: &DocumentFile) -> Result<(NewDocument, usize), CliError> {
    let (external_id, body) = (Some(file.path.clone()), file.read()?);
    let document = NewDocument { title: None, external_id, format: file.format, language: None, body };
    let size = check_size(&file.path, &document)?;
    Ok((document, size + 1))
}

async fn send<'a>(
    content: &Content,
    batch: Vec<(&'a DocumentFile, NewDocument)>,
) -> Vec<(&'a DocumentFile, PushOutcome)> {
    let (files, documents): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
    // A single document may fill a whole request, without the overhead of a list.
    if documents.len() < 2 {
        return send_in_turn(content, files, &documents).await;
    }
    let doing = format!("pushing {} new documents", documents.len());
    match content.create_many(documents.clone()).await.doing(doing) {
        Ok(DocumentsPushed { request_id, results }) => {
            files.into_iter().zip(results).map(|(file, result)| (file, outcome(file, result, &request_id))).collect()
        }
        // One of them is at fault: each by itself shows which one, and the others are pushed.
        Err(error) if error.answer().is_some_and(|answer| matches!(answer.status, 400 | 409 | 413)) => {
            send_in_turn(content, files, &documents).await
        }
        Err(error) => files.into_iter().map(|file| (file, Err(error.clone()))).collect(),
    }
}

/// Pushes documents that the server does not have, each in a request of its own. After a failure that concerns more than
/// its document, the rest have that failure, too.
async fn send_in_turn<'a>(
    content: &Content,
    files: Vec<&'a DocumentFile>,
    documents: &[NewDocument],
) -> Vec<(&'a DocumentFile, PushOutcome)> {
    let mut outcomes: Vec<(&DocumentFile, PushOutcome)> = Vec::with_capacity(files.len());
    for (file, document) in files.into_iter().zip(documents) {
        let outcome = match outcomes.last() {
            Some((_, Err(error))) if !is_about_the_document(error) => Err(error.clone()),
            _ => {
                let doing = format!("pushing {}", file.path);
                let made = content.create(document).await.doing(doing).map_err(|error| placed(error, &file.path));
                made.map(|made| (PushState::New, Some((made.doc_id, Some(made.segments)))))
            }
        };
        outcomes.push((file, outcome));
    }
    outcomes
}

fn outcome(file: &DocumentFile, result: PushedDocument, request: &RequestId) -> PushOutcome {
    let state = match result.status {
        PushStatus::Updated => PushState::Changed,
        PushStatus::Unchanged => PushState::Unchanged,
        _ => PushState::New,
    };
    match result.error {
        Some(error) => Err(refused(&file.path, error, request)),
        None => Ok((state, result.doc_id.map(|id| (id, result.segments)))),
    }
}

/// A document of a batch that the server refused.
fn refused(path: &str, error: ErrorBody, request: &RequestId) -> CliError {
    match error.error {
        ErrorCode::DocumentUnparseable => broken(path, error.details.as_ref(), &error.message, request.as_str()),
        code => {
            DocumentRefused { path: path.to_owned(), code, message: error.message, correlation_id: request.to_string() }
                .into()
        }
    }
}

async fn push_held(content: &Content, file: &DocumentFile, held: Option<&Document>, dry_run: bool) -> PushOutcome {
    let path = &file.path;
    let doing = || format!("pushing {path}");
    let Some(held) = held else { return Ok((PushState::New, None)) };
    let body = file.read()?;
    if held.format != file.format {
        let (is, was) = (file.format, held.format);
        return Err(SourceError::OtherFormat { path: path.clone(), is, was }.into());
    }
    let (held, is_same) = match &held.source_sha256 {
        Some(hash) => (held.clone(), is_sha256(hash, body.as_bytes())),
        // Not every server reports the hash, and none does for earlier pushes.
        None => {
            let source = content.source(held.doc_id.clone()).await.doing(format!("reading {path} on the server"))?;
            let is_same = source.body.as_deref() == Some(body.as_str());
            (source, is_same)
        }
    };
    if is_same {
        return Ok((PushState::Unchanged, Some((held.doc_id, Some(held.segments)))));
    }
    // Refused if someone has pushed the document since it was compared.
    let if_version_id = Some(held.source_version_id);
    let update = DocumentUpdate { body, if_version_id, ..DocumentUpdate::default() };
    check_size(path, &update)?;
    let changed = match dry_run {
        true => None,
        false => {
            let answer = content.update(held.doc_id, &update).await;
            Some(answer.doing(doing()).map_err(|error| placed(error, path))?)
        }
    };
    Ok((PushState::Changed, changed.map(|document| (document.doc_id, Some(document.segments)))))
}

/// Checks the size of a body on the wire, where quotes and line ends take two bytes each, and returns it.
fn check_size(path: &str, body: &impl Serialize) -> Result<usize, SourceError> {
    let bytes = serde_json::to_vec(body).map_or(0, |body| body.len());
    match bytes > CONTENT_BODY_CAP {
        true => Err(SourceError::DocumentTooLarge { path: path.to_owned(), bytes: bytes as u64 }),
        false => Ok(bytes),
    }
}

/// Puts the server's line and column into the message: `docs/intro.md:3:7: …`, as editors understand it.
fn placed(error: CliError, path: &str) -> CliError {
    match error.answer() {
        Some(answer) if answer.code == ErrorCode::DocumentUnparseable => {
            broken(path, answer.details(), &answer.message, &answer.correlation_id)
        }
        _ => error,
    }
}

/// An error for a document that the server cannot parse, with the line and column in `details`.
fn broken(path: &str, details: Option<&Map<String, Value>>, message: &str, correlation_id: &str) -> CliError {
    let number = |name: &str| details.and_then(|details| details.get(name)?.as_u64()).unwrap_or(1);
    BrokenFile {
        path: path.to_owned(),
        line: number("line"),
        column: number("column"),
        message: message.to_owned(),
        code: "document_unparseable",
        correlation_id: Some(correlation_id.to_owned()),
    }
    .into()
}

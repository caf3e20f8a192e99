//! `l10n content push`: uploads documents that are new or changed.
//!
//! Calls `content::create`, `content::list`, `content::read`, `content::update`, `meta::read`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt as _, stream};
use l10n_client::api::content::{CONTENT_BODY_CAP, Document, DocumentUpdate, NewDocument, SegmentCounts};
use l10n_client::api::{DocumentId, ErrorCode};
use l10n_client::{CallOptions, Content, Error as ClientError};
use serde::Serialize;
use serde_json::Value;

use super::{AT_ONCE, documents, is_about_the_document, selection, settle};
use crate::args::PushContentArgs;
use crate::commands::conclude;
use crate::context::Context;
use crate::document_files::DocumentFile;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::hash::is_sha256;
use crate::progress::Progress;
use crate::session::Session;
use crate::source_files::SourceError;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pushed {
    dry_run: bool,
    counts: Counts,
    documents: Vec<PushedDocument>,
    /// Documents of the server whose file is gone.
    without_file: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    new: usize,
    changed: usize,
    unchanged: usize,
    failed: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PushedDocument {
    path: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc_id: Option<DocumentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<SegmentCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Changed,
    Unchanged,
}

type Outcome = Result<(State, Option<Document>), CliError>;

pub(crate) async fn push(context: &Context, args: &PushContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let meta = session.meta().await?;
    let chosen = selection(context, &session, &meta, &args.documents.paths)?;
    let languages: Vec<_> = meta.languages.into_iter().filter(|language| !language.is_base).map(|l| l.code).collect();
    let files = chosen.files(&languages)?;
    let held = documents(&session).await?;
    let held: HashMap<&str, &Document> =
        held.iter().filter_map(|document| Some((document.external_id.as_deref()?, document))).collect();

    let outcomes = push_all(context, &session, &files, &held, args.dry_run).await;
    let wanted = files.len();
    let done = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let mut counts = Counts::default();
    let mut pushed = Vec::new();
    let mut errors = Vec::new();
    let printer = &context.printer;
    for (file, outcome) in outcomes {
        let path = file.path.clone();
        match outcome {
            Ok((state, document)) => {
                let (count, name, sign) = match state {
                    State::New => (&mut counts.new, "new", "+"),
                    State::Changed => (&mut counts.changed, "changed", "~"),
                    State::Unchanged => (&mut counts.unchanged, "unchanged", ""),
                };
                *count += 1;
                let segments = document.as_ref().map(|document| document.segments);
                if state != State::Unchanged {
                    printer.line(format!("{sign} {path}{}", segments.map(words).unwrap_or_default()));
                }
                let doc_id = document.map(|document| document.doc_id);
                pushed.push(PushedDocument { path, state: name, doc_id, segments, error: None });
            }
            Err(error) => {
                counts.failed += 1;
                let json = Some(error.to_json());
                pushed.push(PushedDocument { path, state: "failed", doc_id: None, segments: None, error: json });
                errors.push(error);
            }
        }
    }
    let mut without_file: Vec<String> = held
        .iter()
        .filter(|(path, document)| chosen.has(document) && files.iter().all(|file| file.path != **path))
        .map(|(path, _)| (*path).to_owned())
        .collect();
    without_file.sort();
    for path in &without_file {
        printer.note(format!("{path} has no file any more; it stays on the server."));
    }
    let Counts { new, changed, unchanged, .. } = counts;
    let text = format!("{new} new, {changed} changed, {unchanged} unchanged");
    match args.dry_run {
        true => printer.line(format!("{text}; nothing was changed: this was a dry run.")),
        false if done > 0 => printer.done(text),
        false => {}
    }
    if !args.dry_run && new + changed > 0 {
        printer.note("`l10n content run` translates them; `l10n content run --dry-run` says what that costs.");
    }
    let verdict = settle(context, errors, done, wanted);
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Pushed { dry_run: args.dry_run, counts, documents: pushed, without_file, error });
    conclude(context, verdict)
}

/// Pushes some at once, and goes on until a failure concerns more than its document.
async fn push_all<'a>(
    context: &Context,
    session: &Session,
    files: &'a [DocumentFile],
    held: &HashMap<&str, &Document>,
    dry_run: bool,
) -> Vec<(&'a DocumentFile, Outcome)> {
    let bar = Progress::new(&context.printer, "Pushing", files.len() as u64);
    // What is sent twice after a lost answer is done once.
    let content = session.project.with(CallOptions::default().idempotent()).content();
    let stopped = AtomicBool::new(false);
    let (bar, content, stopped) = (&bar, &content, &stopped);
    let pushes = files.iter().map(|file| async move {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        bar.say(format!("Pushing {}", file.path));
        let outcome = push_one(content, file, held.get(file.path.as_str()).copied(), dry_run).await;
        bar.step();
        if outcome.as_ref().is_err_and(|error| !is_about_the_document(error)) {
            stopped.store(true, Ordering::Relaxed);
        }
        Some((file, outcome))
    });
    stream::iter(pushes).buffered(AT_ONCE).filter_map(async |outcome| outcome).collect().await
}

async fn push_one(content: &Content, file: &DocumentFile, held: Option<&Document>, dry_run: bool) -> Outcome {
    let path = &file.path;
    let doing = || format!("pushing {path}");
    let body = file.read()?;
    let Some(held) = held else {
        let new =
            NewDocument { title: None, external_id: Some(path.clone()), format: file.format, language: None, body };
        check_size(path, &new)?;
        let made = match dry_run {
            true => None,
            false => Some(content.create(&new).await.doing(doing()).map_err(|error| placed(error, path))?),
        };
        return Ok((State::New, made));
    };
    if held.format != file.format {
        let (is, was) = (file.format, held.format);
        return Err(SourceError::OtherFormat { path: path.clone(), is, was }.into());
    }
    let (held, is_same) = match &held.source_sha256 {
        Some(hash) => (held.clone(), is_sha256(hash, body.as_bytes())),
        // Not every server says it, and none of what was pushed before it did.
        None => {
            let source = content.source(held.doc_id.clone()).await.doing(format!("reading {path} of the server"))?;
            let is_same = source.body.as_deref() == Some(body.as_str());
            (source, is_same)
        }
    };
    if is_same {
        return Ok((State::Unchanged, Some(held)));
    }
    // Refused when somebody has pushed it since it was compared.
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
    Ok((State::Changed, changed))
}

/// The cap is of the body as it travels: quotes and line ends take two bytes each.
fn check_size(path: &str, body: &impl Serialize) -> Result<(), SourceError> {
    let bytes = serde_json::to_vec(body).map_or(0, |body| body.len());
    match bytes > CONTENT_BODY_CAP {
        true => Err(SourceError::DocumentTooLarge { path: path.to_owned(), bytes: bytes as u64 }),
        false => Ok(()),
    }
}

/// Puts the place that the server names into the message: `docs/intro.md:3:7: …`, as editors understand it.
fn placed(error: CliError, path: &str) -> CliError {
    let CliError::Api { source: ClientError::Api(answer), .. } = &error else { return error };
    if answer.code != ErrorCode::DocumentUnparseable {
        return error;
    }
    let number = |name: &str| answer.details().and_then(|details| details.get(name)?.as_u64());
    CliError::BrokenFile {
        path: path.to_owned(),
        line: number("line").unwrap_or(1),
        column: number("column").unwrap_or(1),
        message: answer.message.clone(),
        code: "document_unparseable",
        correlation_id: answer.correlation_id.clone(),
    }
}

/// `: 2 segments new, 1 changed, 30 unchanged`
fn words(counts: SegmentCounts) -> String {
    let SegmentCounts { total, new, changed, unchanged, removed } = counts;
    let parts = [(new, "new"), (changed, "changed"), (unchanged, "unchanged"), (removed, "removed")];
    let said: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let noun = if total == 1 { "segment" } else { "segments" };
    format!(": {total} {noun} ({})", said.join(", "))
}

//! `l10n content push`: uploads new and changed documents.
//!
//! Calls `content::create`, `content::list`, `content::read`, `content::update`, `meta::read`.

use std::collections::HashMap;

use l10n_client::api::DocumentId;
use l10n_client::api::content::{Document, SegmentCounts};
use serde::Serialize;
use serde_json::Value;

use super::upload::{PushState, push_all};
use crate::args::PushContentArgs;
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::lookup::{documents, selection};
use crate::run::{conclude, settle_dry_run, settle_errors};
use crate::session::Session;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pushed {
    dry_run: bool,
    counts: Counts,
    documents: Vec<Row>,
    /// Documents of the server whose file was deleted.
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
struct Row {
    path: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc_id: Option<DocumentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<SegmentCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

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
            Ok((state, written)) => {
                let (count, name, sign) = match state {
                    PushState::New => (&mut counts.new, "new", "+"),
                    PushState::Changed => (&mut counts.changed, "changed", "~"),
                    PushState::Unchanged => (&mut counts.unchanged, "unchanged", ""),
                };
                *count += 1;
                let (doc_id, segments) = written.unzip();
                let segments = segments.flatten();
                if state != PushState::Unchanged {
                    printer.line(format!("{sign} {path}{}", segments.map(words).unwrap_or_default()));
                }
                pushed.push(Row { path, state: name, doc_id, segments, error: None });
            }
            Err(error) => {
                counts.failed += 1;
                let json = Some(error.to_json());
                pushed.push(Row { path, state: "failed", doc_id: None, segments: None, error: json });
                // A failure of several files is told once.
                if errors.last().is_none_or(|last: &CliError| !last.is_same_as(&error)) {
                    errors.push(error);
                }
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
        printer.note(format!("The file of {path} was deleted; the document stays on the server."));
    }
    let Counts { new, changed, unchanged, .. } = counts;
    let text = format!("{new} new, {changed} changed, {unchanged} unchanged");
    match args.dry_run {
        true => printer.line(format!("{text}; nothing was changed: this was a dry run.")),
        false if done > 0 => printer.done(text),
        false => {}
    }
    if !args.dry_run && new + changed > 0 {
        printer.note("`l10n content run` translates them; `l10n content run --dry-run` shows the price.");
    }
    let verdict = match args.dry_run {
        true => settle_dry_run(context, errors),
        false => settle_errors(context, errors, done, wanted, "documents"),
    };
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Pushed { dry_run: args.dry_run, counts, documents: pushed, without_file, error });
    conclude(context, verdict)
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

//! `l10n content pull`: writes translated documents.
//!
//! Calls `content::list`, `content::read`, `meta::read`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt as _, stream};
use l10n_client::Content;
use l10n_client::api::content::{Document, ReadQuery};
use l10n_client::api::{DocumentId, ErrorCode, LanguageCode};
use serde::Serialize;
use serde_json::Value;

use crate::args::PullContentArgs;
use crate::atomic;
use crate::context::Context;
use crate::document_files::DocumentFiles;
use crate::error::{CliError, Doing as _, ReadError};
use crate::exit::ExitStatus;
use crate::hash::{is_sha256, sha256};
use crate::lookup::{existing, languages, name, selection};
use crate::progress::Progress;
use crate::run::{DOCUMENTS_AT_ONCE, conclude, is_about_the_document, settle_errors};
use crate::session::Session;
use crate::source_files::SourceError;
use crate::target::target;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pulled {
    dry_run: bool,
    draft: bool,
    folder: PathBuf,
    counts: Counts,
    files: Vec<PulledFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    written: usize,
    unchanged: usize,
    /// Files that stay, because the project has not published their texts.
    kept: usize,
    /// Translations that are not published; for drafts, not begun.
    not_there: usize,
    failed: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PulledFile {
    path: String,
    document: String,
    doc_id: DocumentId,
    language: LanguageCode,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// A translation and its place.
struct PlannedTranslation<'a> {
    document: &'a Document,
    language: LanguageCode,
    path: String,
    place: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PullState {
    New,
    Changed,
    Unchanged,
    Kept,
    NotThere,
}

pub(crate) async fn pull(context: &Context, args: &PullContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let meta = session.meta().await?;
    let chosen = selection(context, &session, &meta, &args.documents.paths)?;
    if chosen.is_open() {
        return Err(SourceError::NoContent.into());
    }
    let chosen = chosen.with_output(args.output.as_deref())?;
    let languages = languages(&args.languages, &meta)?;
    let root = match &args.dir {
        Some(dir) => context.folder.join(dir),
        None => session.settings.root().to_owned(),
    };
    let held = existing(&session, |document| chosen.has(document)).await?;
    let plan = plan(&chosen, &held, &languages, &root)?;
    let wanted = plan.len();

    let outcomes = pull_all(context, &session, plan, args).await;
    let done = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let mut counts = Counts::default();
    let mut files = Vec::new();
    let mut errors = Vec::new();
    let printer = &context.printer;
    for (planned, outcome) in outcomes {
        let (count, state, error) = match &outcome {
            Ok(PullState::New) => (&mut counts.written, "new", None),
            Ok(PullState::Changed) => (&mut counts.written, "changed", None),
            Ok(PullState::Unchanged) => (&mut counts.unchanged, "unchanged", None),
            Ok(PullState::Kept) => (&mut counts.kept, "kept", None),
            Ok(PullState::NotThere) => (&mut counts.not_there, "not_there", None),
            Err(error) => (&mut counts.failed, "failed", Some(error.to_json())),
        };
        *count += 1;
        match state {
            "new" => printer.line(format!("+ {}", planned.path)),
            "changed" => printer.line(format!("~ {}", planned.path)),
            "kept" => printer.warn(format!("{}: kept, because the project has not published this text", planned.path)),
            _ => {}
        }
        let document = name(planned.document).to_owned();
        let (doc_id, language) = (planned.document.doc_id.clone(), planned.language);
        files.push(PulledFile { path: planned.path, document, doc_id, language, state, error });
        errors.extend(outcome.err());
    }
    let verb = if args.dry_run { "would be written" } else { "written" };
    let text = format!("{} {verb}, {} unchanged", counts.written, counts.unchanged);
    match args.dry_run {
        true => printer.line(text),
        false if done > 0 => printer.done(text),
        false if wanted == 0 => printer.line("The project has no target language; add one with `l10n languages add`."),
        false => {}
    }
    let kept = counts.kept;
    if kept > 0 {
        printer.note("Kept files may be your own translations or earlier drafts; `--overwrite` replaces them.");
    }
    if counts.not_there > 0 {
        printer.note(match args.draft {
            true => format!("{} are not translated yet; use `l10n content run`", counts.not_there),
            false => {
                format!("{} are not published; use `l10n content publish`, or pull with --draft", counts.not_there)
            }
        });
    }
    let verdict = settle_errors(context, errors, done, wanted, "documents");
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Pulled { dry_run: args.dry_run, draft: args.draft, folder: root, counts, files, error });
    let status = conclude(context, verdict)?;
    Ok(if status == ExitStatus::Success && kept > 0 { ExitStatus::Partial } else { status })
}

/// The path of each translation. Refuses all of them if one path is not safe, or is the source's own.
fn plan<'a>(
    chosen: &DocumentFiles,
    held: &'a [Document],
    languages: &[LanguageCode],
    root: &Path,
) -> Result<Vec<PlannedTranslation<'a>>, CliError> {
    let mut plan = Vec::new();
    let mut taken: BTreeMap<PathBuf, &str> = held
        .iter()
        .filter_map(|document| Some((root.join(document.external_id.as_deref()?), name(document))))
        .collect();
    for document in held {
        let Some(source) = document.external_id.as_deref() else { continue };
        for language in languages.iter().filter(|language| **language != document.language) {
            let path = chosen.place(source, language)?;
            let place = target(root, &path)?;
            if let Some(first) = taken.insert(place.clone(), source) {
                let (first, second) = (first.to_owned(), source.to_owned());
                return Err(SourceError::SamePlace { path, first, second }.into());
            }
            plan.push(PlannedTranslation { document, language: language.clone(), path, place });
        }
    }
    Ok(plan)
}

/// Pulls several in parallel, until a failure concerns more than its document.
async fn pull_all<'a>(
    context: &Context,
    session: &Session,
    plan: Vec<PlannedTranslation<'a>>,
    args: &PullContentArgs,
) -> Vec<(PlannedTranslation<'a>, Result<PullState, CliError>)> {
    let bar = Progress::new(&context.printer, "Pulling", plan.len() as u64);
    let content = session.project.content();
    let stopped = AtomicBool::new(false);
    let (bar, content, stopped) = (&bar, &content, &stopped);
    let pulls = plan.into_iter().map(|planned| async move {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        bar.say(format!("Pulling {}", planned.path));
        let outcome = pull_one(content, &planned, args).await;
        bar.step();
        if outcome.as_ref().is_err_and(|error| !is_about_the_document(error)) {
            stopped.store(true, Ordering::Relaxed);
        }
        Some((planned, outcome))
    });
    stream::iter(pulls).buffered(DOCUMENTS_AT_ONCE).filter_map(async |outcome| outcome).collect().await
}

async fn pull_one(
    content: &Content,
    planned: &PlannedTranslation<'_>,
    args: &PullContentArgs,
) -> Result<PullState, CliError> {
    let PlannedTranslation { document, language, path, place } = planned;
    let is_begun = || document.languages.iter().any(|l| l.code == *language && l.translated > 0);
    if if args.draft { !is_begun() } else { document.live.is_none() } {
        return Ok(PullState::NotThere);
    }
    let on_disk = match std::fs::read(place) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(source) => return Err(ReadError { what: place.display().to_string(), source }.into()),
    };
    let state = |is_same: &dyn Fn(&[u8]) -> bool| match &on_disk {
        Some(bytes) if is_same(bytes) => PullState::Unchanged,
        Some(_) => PullState::Changed,
        None => PullState::New,
    };
    // Not every server reports live files, and none reports drafts.
    let files = document.live.as_ref().map_or(&[][..], |live| &live.files);
    if !args.draft && !files.is_empty() {
        let Some(file) = files.iter().find(|file| file.language == *language) else { return Ok(PullState::NotThere) };
        let state = state(&|bytes| is_sha256(&file.sha256, bytes));
        if state == PullState::Unchanged || (args.dry_run && (state == PullState::New || args.overwrite)) {
            return Ok(state);
        }
    }
    let query = ReadQuery { language: Some(language.clone()), draft: args.draft.then_some(true), version: None };
    let read = match content.get(document.doc_id.clone(), &query).await {
        Err(error) if error.code() == Some(&ErrorCode::NotPublished) => return Ok(PullState::NotThere),
        answer => answer.doing(format!("reading {path}"))?,
    };
    let body = read.body.unwrap_or_default();
    let state = state(&|bytes| bytes == body.as_bytes());
    let published = read.published_sha256.unwrap_or_default();
    match (state, &on_disk) {
        (PullState::Changed, Some(bytes)) if !args.overwrite && !is_published(bytes, &published) => {
            return Ok(PullState::Kept);
        }
        (PullState::New | PullState::Changed, _) if !args.dry_run => atomic::write(place, body.as_bytes())?,
        _ => {}
    }
    Ok(state)
}

/// Returns true if a file is one of the published texts, with the line ends that it was published with or with Windows' own,
/// which Git may have given it.
fn is_published(file: &[u8], published: &[String]) -> bool {
    let is_known = |bytes: &[u8]| {
        let hash = sha256(bytes);
        published.iter().any(|known| known.eq_ignore_ascii_case(&hash))
    };
    is_known(file) || std::str::from_utf8(file).is_ok_and(|text| is_known(text.replace("\r\n", "\n").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_file_is_known_by_its_bytes_whatever_its_line_ends() {
        let published = ["Eins.\nZwei.\n", "a\r\n"].map(|text| sha256(text.as_bytes()).to_uppercase());
        for file in ["Eins.\nZwei.\n", "Eins.\r\nZwei.\r\n", "a\r\n"] {
            assert!(is_published(file.as_bytes(), &published), "{file:?}");
        }
        for file in [&b"Eins.\nZwei."[..], b"Eins.\n", b"", b"\xff\r\n"] {
            assert!(!is_published(file, &published), "{file:?}");
        }
        assert!(!is_published(b"", &[]));
    }
}

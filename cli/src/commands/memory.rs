//! `l10n memory suggest|export|import`: translations that memory has, and TMX files of them.
//!
//! Calls `memory::suggest`, `memory::export`, `memory::import`.

use std::path::Path;

use l10n_client::api::memory::{MemoryImport, SuggestQuery};
use serde::Serialize;
use serde_json::Value;

use crate::args::{MemoryArgs, MemoryCommand, SuggestArgs};
use crate::atomic::AtomicFile;
use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure};
use crate::exit::ExitStatus;
use crate::input;
use crate::run::conclude;
use crate::session::Session;
use crate::streams::is_stdout;
use crate::words::{counted, maker, shortened};

#[derive(Serialize)]
struct Exported {
    file: String,
    bytes: u64,
}

#[derive(Serialize)]
struct Imported {
    file: String,
    #[serde(flatten)]
    translations: MemoryImport,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// Memory has not taken some parts of a file.
#[derive(Debug, thiserror::Error)]
#[error("memory did not take {} of {file}", counted(*.refused, "part"))]
struct NotTaken {
    file: String,
    refused: u64,
}

impl Failure for NotTaken {
    fn status(&self) -> ExitStatus {
        ExitStatus::Partial
    }

    fn code(&self) -> &str {
        "not_taken"
    }

    fn hint(&self) -> Option<String> {
        Some("correct each at its line and import the file again: what memory has stays unchanged".into())
    }
}

pub(crate) async fn memory(context: &Context, args: MemoryArgs) -> Result<ExitStatus, CliError> {
    match args.command {
        MemoryCommand::Suggest(args) => suggest(context, args).await,
        MemoryCommand::Export { file } => export(context, &file).await,
        MemoryCommand::Import { file } => import(context, &file).await,
    }
}

async fn suggest(context: &Context, args: SuggestArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let query = SuggestQuery { text: args.text, language: args.language.as_str().into(), percent: Some(args.percent) };
    let found = session.project.memory().suggest(&query).await.doing("asking translation memory")?;
    let printer = &context.printer;
    printer.json(&found);
    for one in &found.matches {
        let by = maker(one.engine.as_deref(), Some(one.origin));
        printer.line(format!("{} % {by}: {}", one.percent, shortened(&one.source)));
        printer.line(format!("  {}", shortened(&one.translation)));
    }
    if found.matches.is_empty() {
        printer.note("Memory has nothing like it.");
    }
    Ok(ExitStatus::Success)
}

async fn export(context: &Context, file: &Path) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let doing = "reading translation memory";
    let mut export = session.project.memory().export().await.doing(doing)?;
    if is_stdout(&context.folder, file) {
        while let Some(bytes) = export.chunk().await.doing(doing)? {
            context.printer.file(&bytes)?;
        }
        return Ok(ExitStatus::Success);
    }
    // Memory may be large. What there is of an export that breaks off does not take the place of an earlier one.
    let (mut written, mut total) = (AtomicFile::create(&context.folder.join(file))?, 0);
    while let Some(bytes) = export.chunk().await.doing(doing)? {
        written.write(&bytes)?;
        total += bytes.len() as u64;
    }
    written.finish()?;
    let shown = file.display().to_string();
    context.printer.done(format!("Wrote {} to {shown}", counted(total, "byte")));
    context.printer.json(&Exported { file: shown, bytes: total });
    Ok(ExitStatus::Success)
}

async fn import(context: &Context, file: &Path) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let (shown, bytes) = input::bytes(&context.folder, file).await?;
    let translations = session.project.memory().import(&bytes).await.doing("taking translations into memory")?;
    let printer = &context.printer;
    let MemoryImport { added, unchanged, refused_count, .. } = &translations;
    let text = format!("{added} added, {unchanged} unchanged, {refused_count} refused");
    if *refused_count == 0 {
        printer.done(text);
    } else {
        printer.line(text);
    }
    for refused in &translations.refused {
        printer.line(format!("{shown}:{}: {}", refused.line, refused.message));
    }
    let others = refused_count.saturating_sub(translations.refused.len() as u64);
    if others > 0 {
        printer.note(format!("{} more.", counted(others, "refusal")));
    }
    let verdict = match *refused_count {
        0 => Ok(()),
        refused => Err(NotTaken { file: shown.clone(), refused }.into()),
    };
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Imported { file: shown, translations, error });
    conclude(context, verdict)
}

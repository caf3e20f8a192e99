//! `l10n import`: uploads existing translations, free of charge, for keys of earlier syncs. Lists each text that is in
//! no version all the same, with the reason. Calls `translations::sync`.

use std::path::PathBuf;

use l10n_client::api::translations::{HeldReason, HeldText, Run};
use l10n_formats::locales::is_same_tag;
use serde::Serialize;
use serde_json::Value;

use crate::args::ImportArgs;
use crate::context::Context;
use crate::error::{CliError, Failure, usage};
use crate::exit::ExitStatus;
use crate::run::{
    FileOutcome, FileResult, Upload, Uploaded, classes, conclude, failures, is_about_the_file, may_hold_more,
    print_warnings, settle, settle_dry_run, settle_previews, upload, upload_all,
};
use crate::session::Session;
use crate::source_files::{SourceFile, SourceFiles, is_asked, titled};
use crate::words::counted;

/// Number of texts of a file that are listed; `--json` lists all that the server does.
const NAMED: usize = 100;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Imported {
    dry_run: bool,
    files: Vec<FileResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// An import leaves texts out.
#[derive(Debug, thiserror::Error)]
enum ImportError {
    /// It would leave out translations.
    #[error("the project does not have {} of the source files yet; nothing was imported", counted(*.0, "key"))]
    KeysUnknown(u64),
    /// It succeeded except for some texts.
    #[error("the files have {0} that no version will have: held back, or not imported")]
    HeldBack(String),
}

impl Failure for ImportError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::KeysUnknown(_) => ExitStatus::OutOfDate,
            Self::HeldBack(_) => ExitStatus::Partial,
        }
    }

    fn code(&self) -> &str {
        match self {
            Self::KeysUnknown(_) => "keys_unknown",
            Self::HeldBack(_) => "held_back",
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::KeysUnknown(_) => {
                "run `l10n sync` first; it is free as long as the project has no target language, so add languages afterwards"
                    .into()
            }
            Self::HeldBack(_) => {
                "fix each text as described and import again; `l10n review list` shows what is held back".into()
            }
        })
    }
}

pub(crate) async fn import(context: &Context, args: &ImportArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let (path, config) = session.settings.config()?;
    let files = SourceFiles::of(config, path)?;
    let credential = session.credential().await?;
    let base_language = session.base_language(config, &credential).await?;
    let base = files.base(&base_language)?;
    let chosen = translated(&files, &base_language, &args.paths, &args.languages)?;
    keys_are_known(context, &session, base).await?;
    let mut outcomes: Vec<FileOutcome> = Vec::new();
    for file in &chosen {
        let settings = Upload { dry_run: args.dry_run, language: file.language_code(), ..Upload::default() };
        let outcome = upload(context, &session, file, &settings).await;
        if let Some(run) = outcome.as_ref().ok().and_then(Uploaded::run) {
            print_file(context, file, run);
        }
        let goes_on = outcome.as_ref().err().is_none_or(is_about_the_file);
        outcomes.push((file.clone(), outcome));
        if !goes_on {
            break;
        }
    }
    let results: Vec<FileResult> = outcomes.iter().map(FileResult::of).collect();
    let runs = || results.iter().filter_map(|file| file.run.as_ref());
    let held = runs().flat_map(|run| run.held.iter().filter(|text| counts(text))).count() as u64;
    let texts = match runs().any(may_hold_more) {
        true => format!("at least {}", counted(held, "text")),
        false => counted(held, "text"),
    };
    let verdict = match args.dry_run {
        true => settle_dry_run(context, failures(outcomes)),
        false => settle(context, outcomes, chosen.len(), "files"),
    };
    let verdict = verdict.and(if held > 0 { Err(ImportError::HeldBack(texts).into()) } else { Ok(()) });
    if args.dry_run {
        context.printer.line("Nothing was changed: this was a dry run.");
    } else if verdict.is_ok() {
        context.printer.done(format!(
            "Imported {}; `l10n sync` translates the missing texts",
            counted(chosen.len() as u64, "file")
        ));
    }
    context.printer.json(&Imported {
        dry_run: args.dry_run,
        files: results,
        error: verdict.as_ref().err().map(CliError::to_json),
    });
    conclude(context, verdict)
}

/// Refuses an import with unknown keys. The server would leave out their translations, and the next pull would
/// overwrite them; therefore nothing is imported.
async fn keys_are_known(context: &Context, session: &Session, base: Vec<SourceFile>) -> Result<(), CliError> {
    let settings = Upload { dry_run: true, ..Upload::default() };
    let outcomes = upload_all(context, session, &base, &settings).await;
    let runs = outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()?.run());
    let unknown = runs.map(|run| run.classification.new).sum();
    settle_previews(context, outcomes).map_err(|error| error.but("nothing was imported"))?;
    if unknown > 0 { Err(ImportError::KeysUnknown(unknown).into()) } else { Ok(()) }
}

/// The files in other languages than the base, limited by the arguments; finding none is an error.
fn translated(
    files: &SourceFiles,
    base: &str,
    paths: &[PathBuf],
    languages: &[String],
) -> Result<Vec<SourceFile>, CliError> {
    let all = files.all_with_outputs()?;
    let mut others: Vec<SourceFile> = Vec::new();
    for file in all {
        match &file.language {
            Some(code) if is_same_tag(code, base) => {}
            Some(_) => others.push(file),
            None => others.extend(file.in_each_language()?),
        }
    }
    for code in languages {
        if !others.iter().any(|file| file.language.as_deref().is_some_and(|other| is_same_tag(other, code))) {
            return Err(usage(
                format!("there is no file in `{code}`"),
                "files are found by the patterns of l10n.toml; nothing was done",
            ));
        }
    }
    let wanted = |file: &SourceFile| file.language.as_deref().is_some_and(|code| is_asked(languages, code));
    let chosen = files.named(others.into_iter().filter(wanted).collect(), paths)?;
    if chosen.is_empty() {
        return Err(usage(
            format!("there is no file in another language than `{base}`"),
            "files are found by the patterns of l10n.toml; nothing was done",
        ));
    }
    Ok(chosen)
}

fn print_file(context: &Context, file: &SourceFile, run: &Run) {
    let printer = &context.printer;
    let title = titled(&file.path, file.language.as_deref());
    printer.line(format!("{title}: {}", classes(run.classification)));
    print_warnings(printer, &file.path, run);
    let held: Vec<&HeldText> = run.held.iter().filter(|text| counts(text)).collect();
    for text in held.iter().take(NAMED) {
        let what = if text.reason == HeldReason::NeedsReview { "held back" } else { "not imported" };
        printer.line(format!("  {} {what}: {}", text.r#ref, text.message));
    }
    let more = held.len().saturating_sub(NAMED);
    if more > 0 && may_hold_more(run) {
        printer.line(format!("  and at least {more} more; --json lists the first {}", run.held.len()));
    } else if more > 0 {
        printer.line(format!("  and {more} more; --json lists them"));
    }
}

/// Returns true if a text is missing. Tools write an empty text where nothing is translated.
fn counts(text: &HeldText) -> bool {
    text.reason != HeldReason::Empty
}

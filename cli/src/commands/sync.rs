//! `l10n sync`: uploads the source files and translates new and changed keys.
//!
//! Calls `translations::sync`, `translations::get`, `output_formats::set`.

mod approvals;

use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::{OnRemoved, Run};
use serde::Serialize;
use serde_json::Value;

use super::language_codes;
use crate::args::{OnRemovedArg, SyncArgs};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::run::{
    FormatsState, JobSummary, Totals, Upload, Uploaded, classes, enforce_max_credits, finish, is_about_the_file,
    print_removed, print_warnings, register_formats, upload, wait_for,
};
use crate::session::Session;
use crate::source_files::{SourceFile, SourceFiles};

/// Result of a sync.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Synced<'a> {
    dry_run: bool,
    output_formats: &'a FormatsState,
    files: Vec<FileResult>,
    totals: &'a Totals,
    jobs: &'a [JobSummary],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// The outcome for a file: a run, the receipt of one whose answer was lost, or an error.
#[derive(Serialize)]
pub(crate) struct FileResult {
    pub(crate) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Run>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) receipt: Option<Receipt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Value>,
}

pub(crate) async fn sync(context: &Context, args: &SyncArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let (path, config) = session.settings.config()?;
    let files = SourceFiles::of(config, path)?;
    let credential = session.credential().await?;
    let base = files.base(&session.base_language(config, &credential).await?)?;
    let mut chosen = files.named(base.clone(), &args.paths)?;
    let on_removed = match args.on_removed {
        Some(OnRemovedArg::Keep) => Some(OnRemoved::Keep),
        Some(OnRemovedArg::Archive) => Some(OnRemoved::Archive),
        None => config.sync.on_removed,
    };
    let languages = language_codes(&args.spend.languages);
    let retranslate = args.retranslate;
    let mut real = Upload { languages, on_removed, retranslate, ..Upload::default() };
    let dry = Upload { dry_run: true, ..real.clone() };

    let dry_run = args.spend.dry_run;
    let approval = &args.spend.approval;
    if let Some(id) = &approval.operation_id {
        real.approvals = approvals::named(id, &chosen)?;
    }
    if !dry_run && (args.spend.max_credits.is_some() || approval.request_approval) {
        let outcomes = upload_all(context, &session, &chosen, &dry).await;
        let quote = |(file, outcome): &FileOutcome| Some((file.clone(), outcome.as_ref().ok()?.run()?.clone()));
        let mut quotes: Vec<approvals::Quote> = outcomes.iter().filter_map(quote).collect();
        let totals = Totals::of(quotes.iter().map(|(_, run)| run));
        settle(context, outcomes, chosen.len())?;
        if let Some(max) = args.spend.max_credits {
            enforce_max_credits(&totals, max)?;
        }
        if approval.request_approval {
            totals.refusal()?;
            quotes.retain(|(_, run)| approvals::has_work(run, on_removed));
            chosen.retain(|file| quotes.iter().any(|(other, _)| other.path == file.path));
            real.approvals = approvals::obtain(context, &session, &args.spend, &quotes, &real).await?;
        }
    }
    let register = || register_formats(context, &session, &credential, &files, &base, dry_run);
    // The namespace of a file's keys depends on the output formats, so these are set first if namespaces are used.
    // Otherwise they are set last, so that a refused sync has written nothing.
    let mut formats = if files.uses_namespaces() { register().await? } else { FormatsState::default() };
    let outcomes = upload_all(context, &session, &chosen, if dry_run { &dry } else { &real }).await;
    print_files(context, &outcomes, on_removed.unwrap_or(OnRemoved::Keep));
    let results: Vec<FileResult> = outcomes.iter().map(FileResult::of).collect();
    let uploaded = || outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok());
    let tokens: Vec<_> = uploaded().filter_map(Uploaded::job).collect();
    let totals = Totals::of(results.iter().filter_map(|file| file.run.as_ref()));

    if uploaded().next().is_some() && !files.uses_namespaces() {
        formats = register().await?;
    }
    let mut verdict = settle(context, outcomes, chosen.len());
    let mut jobs = Vec::new();
    if dry_run {
        totals.print(&context.printer);
        context.printer.line("Nothing was changed: this was a dry run.");
        verdict = verdict.and_then(|()| totals.verdict(&context.printer));
        if let Some(max) = args.spend.max_credits {
            verdict = verdict.and_then(|()| enforce_max_credits(&totals, max));
        }
    } else if args.spend.no_wait && !tokens.is_empty() {
        context.printer.line(format!(
            "{} translations queued, at most {} credits; `l10n status` shows the progress.",
            totals.translations(),
            totals.estimated_credits
        ));
    } else if !tokens.is_empty() {
        jobs = wait_for(context, &session, &tokens, totals.translations()).await?;
        verdict = finish(context, &jobs).and(verdict);
    } else if verdict.is_ok() {
        context.printer.done("Nothing to translate");
    }
    context.printer.json(&Synced {
        dry_run,
        output_formats: &formats,
        files: results,
        totals: &totals,
        jobs: &jobs,
        error: verdict.as_ref().err().map(CliError::to_json),
    });
    conclude(context, verdict)
}

/// A file and its outcome.
pub(crate) type FileOutcome = (SourceFile, Result<Uploaded, CliError>);

/// Uploads files one after the other. An error in a file itself does not stop the others; any other error does.
pub(crate) async fn upload_all(
    context: &Context,
    session: &Session,
    files: &[SourceFile],
    settings: &Upload,
) -> Vec<FileOutcome> {
    let bar = crate::progress::Progress::new(&context.printer, "Uploading", files.len() as u64);
    let mut outcomes = Vec::new();
    for file in files {
        bar.say(format!("Uploading {}", file.path));
        let outcome = upload(context, session, file, settings).await;
        bar.step();
        let goes_on = outcome.as_ref().err().is_none_or(is_about_the_file);
        outcomes.push((file.clone(), outcome));
        if !goes_on {
            break;
        }
    }
    outcomes
}

impl FileResult {
    pub(crate) fn of((file, outcome): &FileOutcome) -> Self {
        Self {
            path: file.path.clone(),
            run: outcome.as_ref().ok().and_then(Uploaded::run).cloned(),
            receipt: outcome.as_ref().ok().and_then(Uploaded::receipt).cloned(),
            error: outcome.as_ref().err().map(CliError::to_json),
        }
    }
}

fn print_files(context: &Context, outcomes: &[FileOutcome], on_removed: OnRemoved) {
    for (file, outcome) in outcomes {
        if let Some(run) = outcome.as_ref().ok().and_then(Uploaded::run) {
            context.printer.line(format!("{}: {}", file.path, classes(run.classification)));
            print_removed(&context.printer, &file.path, run, on_removed);
            print_warnings(&context.printer, &file.path, run);
        }
    }
}

/// Returns success if all files succeeded. A failure beside successes is a partial failure; otherwise the failure
/// itself is returned.
pub(crate) fn settle<T>(
    context: &Context,
    outcomes: Vec<(SourceFile, Result<T, CliError>)>,
    wanted: usize,
) -> Result<(), CliError> {
    let mut errors: Vec<CliError> = Vec::new();
    let mut done = 0;
    for (_, outcome) in outcomes {
        match outcome {
            Ok(_) => done += 1,
            Err(error) => errors.push(error),
        }
    }
    let Some(last) = errors.pop() else { return Ok(()) };
    for error in &errors {
        context.printer.error_text(error);
    }
    if done == 0 {
        return Err(last);
    }
    context.printer.error_text(&last);
    Err(CliError::Partial(format!("{done} of {wanted} files succeeded, {} failed", wanted - done)))
}

/// Prints an error that the JSON result contains already.
pub(crate) fn conclude(context: &Context, verdict: Result<(), CliError>) -> Result<ExitStatus, CliError> {
    match verdict {
        Ok(()) => Ok(ExitStatus::Success),
        Err(error) => {
            context.printer.error_text(&error);
            Ok(error.status())
        }
    }
}

//! `l10n sync`: uploads the source files and translates new and changed keys. Translations that local files have and the
//! project lacks keep it from running, as it would pay for others (`local_texts.rs`).
//!
//! Calls `translations::sync`, `translations::get`, `output_formats::set`, `meta::read`.

use l10n_client::api::TrackingToken;
use l10n_client::api::operations::{CreateBody, OperationKind};
use l10n_client::api::translations::{OnRemoved, Run};
use serde::Serialize;
use serde_json::Value;

use crate::args::{OnRemovedArg, SpendArgs, SyncArgs, language_codes};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::local_texts::{self, LocalTexts};
use crate::run::{
    Approvals, FileOutcome, FileResult, FormatsState, JobSummary, PaidWork, Totals, Upload, classes, conclude, prepare,
    print_removed, print_warnings, register_formats, upload_all, whole_credits,
};
use crate::session::Session;
use crate::source_files::{SourceFile, SourceFiles};
use crate::words::counted;

/// Result of a sync.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Synced<'a> {
    dry_run: bool,
    output_formats: &'a FormatsState,
    files: Vec<FileResult>,
    /// Translations of local files that the project lacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    local_texts: Vec<LocalTexts>,
    totals: &'a Totals,
    jobs: &'a [JobSummary],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

pub(crate) async fn sync(context: &Context, args: &SyncArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let (path, config) = session.settings.config()?;
    let files = SourceFiles::of(config, path)?;
    let credential = session.credential().await?;
    let base_language = session.base_language(config, &credential).await?;
    let base = files.base(&base_language)?;
    let chosen = files.named(base.clone(), &args.paths)?;
    let on_removed = match args.on_removed {
        Some(OnRemovedArg::Keep) => Some(OnRemoved::Keep),
        Some(OnRemovedArg::Archive) => Some(OnRemoved::Archive),
        None => config.sync.on_removed,
    };
    let (spend, languages) = (&args.spend, language_codes(&args.spend.languages));
    let translated = match args.ignore_local {
        true => Vec::new(),
        false => local_texts::translated(&files, &base_language, &chosen, &spend.languages)?,
    };
    let lacking = local_texts::lacking(context, &session, &credential, &translated).await?;
    let mut local =
        if spend.dry_run { lacking } else { local_texts::refuse(&context.printer, lacking).map(|()| Vec::new())? };
    let settings = Upload { languages, on_removed, retranslate: args.retranslate, ..Upload::default() };
    let work = SyncRuns { context, session: &session, spend, settings };
    let prepared = prepare(context, &session, spend, &work, chosen).await?;
    let register = || register_formats(context, &session, &credential, &files, &base, spend.dry_run);
    // The namespace of a file's keys depends on the output formats, so these are set first if namespaces are used.
    // Otherwise they are set last, so that a refused sync has written nothing.
    let mut formats = if files.uses_namespaces() { register().await? } else { FormatsState::default() };
    let ran = prepared.run(&work, spend.dry_run).await;
    let results: Vec<FileResult> = ran.outcomes.iter().map(FileResult::of).collect();
    for (source, run) in ran.outcomes.iter().filter_map(|(file, outcome)| Some((file, outcome.as_ref().ok()?.run()?))) {
        local.extend(local_texts::of_new_keys(source, &translated, run));
    }
    local_texts::tell(&context.printer, &local);
    if ran.done().next().is_some() && !files.uses_namespaces() {
        formats = register().await?;
    }
    let (totals, ended) = ran.end(context, &session, spend, &work).await;
    context.printer.json(&Synced {
        dry_run: spend.dry_run,
        output_formats: &formats,
        files: results,
        local_texts: local,
        totals: &totals,
        jobs: &ended.jobs,
        error: ended.verdict.as_ref().err().map(CliError::to_json),
    });
    conclude(context, ended.verdict)
}

/// The files of a sync, each of which is a run.
struct SyncRuns<'a> {
    context: &'a Context,
    session: &'a Session,
    spend: &'a SpendArgs,
    settings: Upload,
}

impl PaidWork for SyncRuns<'_> {
    type Item = SourceFile;

    const ITEMS: [&'static str; 2] = ["file", "files"];

    fn name<'a>(&self, file: &'a SourceFile) -> &'a str {
        &file.path
    }

    async fn run(&self, files: Vec<SourceFile>, approvals: &Approvals, dry_run: bool) -> Vec<FileOutcome> {
        let settings = Upload { dry_run, approvals: approvals.clone(), ..self.settings.clone() };
        upload_all(self.context, self.session, &files, &settings).await
    }

    /// A sync that changes nothing needs no approval and is not sent.
    fn has_work(&self, quote: &Run) -> bool {
        let found = quote.classification;
        let removed = if self.settings.on_removed == Some(OnRemoved::Archive) { found.removed } else { 0 };
        found.new + found.changed + removed > 0 || quote.per_language.iter().any(|price| price.keys > 0)
    }

    /// `--max-credits` limits all files together, so it applies to a single one only if that is the only one.
    fn ask(&self, file: &SourceFile, quote: &Run, alone: bool) -> CreateBody {
        let most = self.spend.max_credits.filter(|_| alone).unwrap_or(quote.estimated_credits);
        let path = &file.path;
        let note = match &self.spend.approval.note {
            Some(note) if alone => note.clone(),
            Some(note) => format!("{note} ({path})"),
            None if quote.archived > 0 => {
                format!(
                    "sync of {path}: {}, archives {}",
                    classes(quote.classification),
                    counted(quote.archived, "key")
                )
            }
            None => format!("sync of {path}: {}", classes(quote.classification)),
        };
        CreateBody {
            max_credits: Some(whole_credits(most)),
            // The same number as in the preview: if more keys are removed by then, the person is asked again.
            max_archived_keys: (quote.archived > 0).then(|| u32::try_from(quote.archived).unwrap_or(u32::MAX)),
            languages: self.settings.languages.clone(),
            note: Some(note),
            ..CreateBody::new(OperationKind::Translation)
        }
    }

    fn again(&self, path: &str, id: &str) -> Option<String> {
        Some(format!("l10n sync {path} --operation-id {id}"))
    }

    fn tell(&self, file: &SourceFile, run: &Run) {
        let printer = &self.context.printer;
        printer.line(format!("{}: {}", file.path, classes(run.classification)));
        print_removed(printer, &file.path, run, self.settings.on_removed.unwrap_or(OnRemoved::Keep));
        print_warnings(printer, &file.path, run);
    }

    fn queued(&self, totals: &Totals, _: &[TrackingToken]) -> String {
        format!(
            "{} queued, at most {} credits; `l10n status` shows the progress.",
            counted(totals.translations(), "translation"),
            totals.estimated_credits
        )
    }
}

//! `l10n content run`: translates documents.
//!
//! Calls `content::run`, `content::list`, `meta::read`, `translations::get`.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt as _, stream};
use l10n_client::api::content::{Document, DocumentState, RunBody};
use l10n_client::api::operations::{CreateBody, OperationKind, OperationTarget};
use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::Run;
use l10n_client::api::{DocumentId, OperationId};
use l10n_formats::locales::is_same_tag;
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use super::{AT_ONCE, documents, is_about_the_document, name, selection, settle};
use crate::args::RunContentArgs;
use crate::commands::{conclude, language_codes};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::progress::Progress;
use crate::run::{
    APPROVAL_WAIT, JobSummary, Totals, Uploaded, approved, ask_outcome, enforce_max_credits, finish, print_warnings,
    request, wait_for, wait_for_decision, whole_credits,
};
use crate::session::Session;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ran<'a> {
    dry_run: bool,
    documents: Vec<RunDocument>,
    /// Number of documents that lack nothing.
    done_before: usize,
    totals: &'a Totals,
    jobs: &'a [JobSummary],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// The outcome for a document: a run, the receipt of one whose answer was lost, or an error.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunDocument {
    document: String,
    doc_id: DocumentId,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Run>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<Receipt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// A document to run, and its approval.
#[derive(Clone)]
struct Wanted<'a> {
    document: &'a Document,
    operation_id: Option<OperationId>,
}

type RunOutcome<'a> = (&'a Document, Result<Uploaded, CliError>);

pub(crate) async fn run(context: &Context, args: &RunContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let meta = session.meta().await?;
    let chosen = selection(context, &session, &meta, &args.documents.paths)?;
    let mut held = documents(&session).await?;
    held.retain(|document| chosen.has(document));
    if held.is_empty() {
        return Err(CliError::usage(
            "none of these documents is on the server",
            "upload them with `l10n content push`",
        ));
    }
    held.sort_by(|a, b| name(a).cmp(name(b)));
    let lacking: Vec<Wanted<'_>> = held
        .iter()
        .filter(|document| lacks(document, args))
        .map(|document| Wanted { document, operation_id: None })
        .collect();
    let done_before = held.len() - lacking.len();
    let printer = &context.printer;
    let approval = &args.spend.approval;
    let dry_run = args.spend.dry_run;
    let mut wanted = lacking;

    if !dry_run && (args.spend.max_credits.is_some() || approval.request_approval) {
        let outcomes = run_all(context, &session, &wanted, args, true).await;
        let quotes: Vec<(&Document, Run)> = outcomes
            .iter()
            .filter_map(|(document, outcome)| Some((*document, outcome.as_ref().ok()?.run()?.clone())))
            .collect();
        let (done, count) = (quotes.len(), wanted.len());
        settle(context, outcomes.into_iter().filter_map(|(_, outcome)| outcome.err()).collect(), done, count)?;
        let totals = Totals::of(quotes.iter().map(|(_, run)| run));
        if let Some(max) = args.spend.max_credits {
            enforce_max_credits(&totals, max)?;
        }
        if approval.request_approval {
            totals.refusal()?;
            wanted = obtain(context, &session, args, quotes).await?;
        }
    }
    if let Some(id) = &approval.operation_id {
        match wanted.as_mut_slice() {
            [one] => one.operation_id = Some(id.as_str().into()),
            several => {
                return Err(CliError::usage(
                    format!("an approval counts for one document, but {} are selected", several.len()),
                    "name the document: l10n content run PATH --operation-id ID",
                ));
            }
        }
    }
    let outcomes = run_all(context, &session, &wanted, args, dry_run).await;
    for (document, outcome) in &outcomes {
        if let Some(run) = outcome.as_ref().ok().and_then(Uploaded::run) {
            printer.line(format!("{}: {}", name(document), words(run)));
            print_warnings(printer, name(document), run);
        }
    }
    let results: Vec<RunDocument> = outcomes.iter().map(RunDocument::of).collect();
    let tokens: Vec<_> =
        outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().ok().and_then(Uploaded::job)).collect();
    let totals = Totals::of(results.iter().filter_map(|result| result.run.as_ref()));
    let done = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let errors = outcomes.into_iter().filter_map(|(_, outcome)| outcome.err()).collect();
    let mut verdict = settle(context, errors, done, wanted.len());
    let mut jobs = Vec::new();
    if dry_run {
        totals.print_of(printer, "SEGMENTS");
        printer.line("Nothing was changed: this was a dry run.");
        verdict = verdict.and_then(|()| totals.verdict(printer));
        if let Some(max) = args.spend.max_credits {
            verdict = verdict.and_then(|()| enforce_max_credits(&totals, max));
        }
    } else if args.spend.no_wait && !tokens.is_empty() {
        printer.line(format!(
            "{} translations queued, at most {} credits; `l10n content list` shows the progress.",
            totals.translations(),
            totals.estimated_credits
        ));
    } else if !tokens.is_empty() {
        jobs = wait_for(context, &session, &tokens, totals.translations()).await?;
        verdict = finish(context, &jobs).and(verdict);
        printer.note("`l10n content publish` makes them live; `l10n content pull --draft` writes them before that.");
    } else if verdict.is_ok() {
        printer.done("Nothing to translate");
    }
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Ran { dry_run, documents: results, done_before, totals: &totals, jobs: &jobs, error });
    conclude(context, verdict)
}

/// Returns true if a run could translate something in a document.
fn lacks(document: &Document, args: &RunContentArgs) -> bool {
    let asked = &args.spend.languages;
    let is_asked = |code: &str| asked.is_empty() || asked.iter().any(|asked| is_same_tag(asked, code));
    let states = document.languages.iter().filter(|language| is_asked(language.code.as_str()));
    // The server refuses a language that the project lacks.
    let unknown = asked.iter().any(|code| {
        document.languages.iter().all(|language| !is_same_tag(language.code.as_str(), code))
            && !is_same_tag(document.language.as_str(), code)
    });
    let is_open = |state: DocumentState| matches!(state, DocumentState::Missing | DocumentState::Outdated);
    args.retranslate || unknown || states.into_iter().any(|language| is_open(language.state))
}

/// Runs several in parallel, until a failure concerns more than its document.
async fn run_all<'a>(
    context: &Context,
    session: &Session,
    wanted: &[Wanted<'a>],
    args: &RunContentArgs,
    dry_run: bool,
) -> Vec<RunOutcome<'a>> {
    let what = if dry_run { "Pricing" } else { "Starting" };
    let bar = Progress::new(&context.printer, what, wanted.len() as u64);
    let stopped = AtomicBool::new(false);
    let (bar, stopped) = (&bar, &stopped);
    let runs = wanted.iter().map(|wanted| async move {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        bar.say(format!("{what} {}", name(wanted.document)));
        let outcome = run_one(context, session, wanted, args, dry_run).await;
        bar.step();
        if outcome.as_ref().is_err_and(|error| !is_about_the_document(error)) {
            stopped.store(true, Ordering::Relaxed);
        }
        Some((wanted.document, outcome))
    });
    stream::iter(runs).buffered(AT_ONCE).filter_map(async |outcome| outcome).collect().await
}

async fn run_one(
    context: &Context,
    session: &Session,
    wanted: &Wanted<'_>,
    args: &RunContentArgs,
    dry_run: bool,
) -> Result<Uploaded, CliError> {
    let content = session.project.content();
    let id = wanted.document.doc_id.clone();
    let doing = format!("translating {}", name(wanted.document));
    let body = RunBody {
        dry_run: None,
        languages: language_codes(&args.spend.languages),
        retranslate: args.retranslate.then_some(true),
        operation_id: wanted.operation_id.clone().filter(|_| !dry_run),
    };
    if dry_run {
        return Ok(Uploaded::Run(Box::new(content.run_dry_run(id, &body).await.doing(doing)?)));
    }
    match content.run(id, &body).await {
        Ok(run) => Ok(Uploaded::Run(Box::new(run))),
        Err(error) => Ok(Uploaded::Landed(Box::new(ask_outcome(context, session, &doing, error).await?))),
    }
}

/// Requests approval for all documents with work at once, then waits for each. An approval counts for one run.
async fn obtain<'a>(
    context: &Context,
    session: &Session,
    args: &RunContentArgs,
    quotes: Vec<(&'a Document, Run)>,
) -> Result<Vec<Wanted<'a>>, CliError> {
    let approval = &args.spend.approval;
    let with_work: Vec<_> =
        quotes.into_iter().filter(|(_, run)| run.per_language.iter().any(|price| price.keys > 0)).collect();
    let mut asked = Vec::new();
    for (document, quote) in &with_work {
        // `--max-credits` limits all documents together, so it applies to a single one only if that is the only one.
        let most = args.spend.max_credits.filter(|_| with_work.len() == 1).unwrap_or(quote.estimated_credits);
        let what = format!("translation of {}: {}", name(document), words(quote));
        let ask = CreateBody {
            target: Some(OperationTarget::Content),
            max_credits: Some(whole_credits(most)),
            languages: language_codes(&args.spend.languages),
            doc_id: Some(document.doc_id.clone()),
            note: Some(approval.note.as_ref().map_or(what.clone(), |note| format!("{note} ({})", name(document)))),
            ..CreateBody::new(OperationKind::Translation)
        };
        asked.push((*document, request(context, session, &ask).await?.operation_id));
    }
    let deadline = Instant::now() + approval.approval_timeout.unwrap_or(APPROVAL_WAIT);
    let mut wanted = Vec::new();
    for (document, id) in asked {
        let left = deadline.saturating_duration_since(Instant::now());
        let decided = wait_for_decision(context, session, &id, Some(left)).await?;
        let again = format!("l10n content run {} --operation-id {id}", name(document));
        wanted.push(Wanted { document, operation_id: Some(approved(decided, Some(again))?) });
    }
    Ok(wanted)
}

impl RunDocument {
    fn of((document, outcome): &RunOutcome<'_>) -> Self {
        Self {
            document: name(document).to_owned(),
            doc_id: document.doc_id.clone(),
            run: outcome.as_ref().ok().and_then(Uploaded::run).cloned(),
            receipt: outcome.as_ref().ok().and_then(Uploaded::receipt).cloned(),
            error: outcome.as_ref().err().map(CliError::to_json),
        }
    }
}

/// `12 segments, 3 to translate, at most 0.120 credits`
fn words(run: &Run) -> String {
    let found = run.classification;
    let segments = found.new + found.changed + found.unchanged;
    let translations: u64 = run.per_language.iter().map(|price| price.keys).sum();
    format!("{segments} segments, {translations} translations, at most {} credits", run.estimated_credits)
}

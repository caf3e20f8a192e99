//! `l10n content run`: translates documents.
//!
//! Calls `content::run`, `content::list`, `meta::read`, `translations::get`.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt as _, stream};
use l10n_client::api::content::{Document, DocumentState, RunBody};
use l10n_client::api::operations::{CreateBody, OperationKind, OperationTarget};
use l10n_client::api::requests::Receipt;
use l10n_client::api::translations::Run;
use l10n_client::api::{DocumentId, OperationId, TrackingToken};
use l10n_formats::locales::is_same_tag;
use serde::Serialize;
use serde_json::Value;

use crate::args::{RunContentArgs, language_codes};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::lookup::{existing, name, selection};
use crate::progress::Progress;
use crate::run::{
    Approvals, DOCUMENTS_AT_ONCE, JobSummary, PaidWork, Totals, Uploaded, ask_outcome, conclude, is_about_the_document,
    prepare, print_warnings, whole_credits,
};
use crate::session::Session;
use crate::words::counted;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunOutput<'a> {
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

pub(crate) async fn run(context: &Context, args: &RunContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let meta = session.meta().await?;
    let chosen = selection(context, &session, &meta, &args.documents.paths)?;
    let held = existing(&session, |document| chosen.has(document)).await?;
    let lacking: Vec<Document> = held.iter().filter(|document| lacks(document, args)).cloned().collect();
    let done_before = held.len() - lacking.len();
    let work = Documents { context, session: &session, args };
    let spend = &args.spend;
    let ran = prepare(context, &session, spend, &work, lacking).await?.run(&work, spend.dry_run).await;
    let documents: Vec<RunDocument> = ran.outcomes.iter().map(RunDocument::of).collect();
    let (totals, ended) = ran.end(context, &session, spend, &work).await;
    if !ended.jobs.is_empty() {
        let note = "`l10n content publish` makes them live; `l10n content pull --draft` writes them before that.";
        context.printer.note(note);
    }
    let error = ended.verdict.as_ref().err().map(CliError::to_json);
    context.printer.json(&RunOutput {
        dry_run: spend.dry_run,
        documents,
        done_before,
        totals: &totals,
        jobs: &ended.jobs,
        error,
    });
    conclude(context, ended.verdict)
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

/// Documents, each of which is a run.
struct Documents<'a> {
    context: &'a Context,
    session: &'a Session,
    args: &'a RunContentArgs,
}

impl PaidWork for Documents<'_> {
    type Item = Document;

    const ITEMS: [&'static str; 2] = ["document", "documents"];

    const TEXTS: &'static str = "SEGMENTS";

    fn name<'a>(&self, document: &'a Document) -> &'a str {
        name(document)
    }

    /// Runs several in parallel, until a failure concerns more than its document.
    async fn run(&self, documents: Vec<Document>, approvals: &Approvals, dry_run: bool) -> Vec<RunOutcome> {
        let what = if dry_run { "Pricing" } else { "Starting" };
        let bar = Progress::new(&self.context.printer, what, documents.len() as u64);
        let stopped = AtomicBool::new(false);
        let (bar, stopped) = (&bar, &stopped);
        let runs = documents.into_iter().map(|document| async move {
            if stopped.load(Ordering::Relaxed) {
                return None;
            }
            bar.say(format!("{what} {}", name(&document)));
            let outcome = self.run_one(&document, approvals.get(name(&document)), dry_run).await;
            bar.step();
            if outcome.as_ref().is_err_and(|error| !is_about_the_document(error)) {
                stopped.store(true, Ordering::Relaxed);
            }
            Some((document, outcome))
        });
        stream::iter(runs).buffered(DOCUMENTS_AT_ONCE).filter_map(async |outcome| outcome).collect().await
    }

    fn has_work(&self, quote: &Run) -> bool {
        quote.per_language.iter().any(|price| price.keys > 0)
    }

    /// `--max-credits` limits all documents together, so it applies to a single one only if that is the only one.
    fn ask(&self, document: &Document, quote: &Run, alone: bool) -> CreateBody {
        let spend = &self.args.spend;
        let most = spend.max_credits.filter(|_| alone).unwrap_or(quote.estimated_credits);
        let note = match &spend.approval.note {
            Some(note) => format!("{note} ({})", name(document)),
            None => format!("translation of {}: {}", name(document), words(quote)),
        };
        CreateBody {
            target: Some(OperationTarget::Content),
            max_credits: Some(whole_credits(most)),
            languages: language_codes(&spend.languages),
            doc_id: Some(document.doc_id.clone()),
            note: Some(note),
            ..CreateBody::new(OperationKind::Translation)
        }
    }

    fn again(&self, name: &str, id: &str) -> Option<String> {
        Some(format!("l10n content run {name} --operation-id {id}"))
    }

    fn tell(&self, document: &Document, run: &Run) {
        self.context.printer.line(format!("{}: {}", name(document), words(run)));
        print_warnings(&self.context.printer, name(document), run);
    }

    fn queued(&self, totals: &Totals, _: &[TrackingToken]) -> String {
        format!(
            "{} queued, at most {} credits; `l10n content list` shows the progress.",
            counted(totals.translations(), "translation"),
            totals.estimated_credits
        )
    }
}

impl Documents<'_> {
    async fn run_one(
        &self,
        document: &Document,
        approval: Option<&OperationId>,
        dry_run: bool,
    ) -> Result<Uploaded, CliError> {
        let content = self.session.project.content();
        let id = document.doc_id.clone();
        let doing = format!("translating {}", name(document));
        let body = RunBody {
            dry_run: None,
            languages: language_codes(&self.args.spend.languages),
            retranslate: self.args.retranslate.then_some(true),
            operation_id: approval.filter(|_| !dry_run).cloned(),
        };
        if dry_run {
            return Ok(Uploaded::Run(Box::new(content.run_dry_run(id, &body).await.doing(doing)?)));
        }
        match content.run(id, &body).await {
            Ok(run) => Ok(Uploaded::Run(Box::new(run))),
            Err(error) => Ok(Uploaded::Landed(Box::new(ask_outcome(self.context, self.session, &doing, error).await?))),
        }
    }
}

/// A document and its outcome.
type RunOutcome = (Document, Result<Uploaded, CliError>);

impl RunDocument {
    fn of((document, outcome): &RunOutcome) -> Self {
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
    format!(
        "{}, {}, at most {} credits",
        counted(segments, "segment"),
        counted(translations, "translation"),
        run.estimated_credits
    )
}

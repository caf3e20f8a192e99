//! `l10n content check`: the reasons why a publish would hold documents back. Changes and spends nothing.
//!
//! Calls `content::list`, `content::read`, `meta::read`.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use l10n_client::api::content::{Document, DocumentLanguage, DocumentProblem, DocumentState, TooLarge};
use l10n_client::api::{DocumentId, LanguageCode};
use serde::Serialize;
use serde_json::Value;

use crate::args::CheckContentArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure};
use crate::exit::ExitStatus;
use crate::lookup::{existing, languages, name, selection};
use crate::progress::Progress;
use crate::run::{DOCUMENTS_AT_ONCE, conclude};
use crate::session::Session;
use crate::words::{counted, shortened};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Checked {
    ready: bool,
    documents: Vec<CheckedLanguage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// A document in a language in which a publish would hold it back.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckedLanguage {
    pub(super) document: String,
    doc_id: DocumentId,
    pub(super) language: LanguageCode,
    pub(super) state: DocumentState,
    problems: Vec<DocumentProblem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    too_large: Option<TooLarge>,
}

/// Documents would be held back.
#[derive(Debug, thiserror::Error)]
#[error("{0} of documents would be held back")]
struct NotReady(String);

impl Failure for NotReady {
    fn status(&self) -> ExitStatus {
        ExitStatus::Conflict
    }

    fn code(&self) -> &str {
        "not_ready"
    }

    fn hint(&self) -> Option<String> {
        Some(
            "translate missing segments with `l10n content run`, and wrong ones with `l10n content run --retranslate PATH`"
                .into(),
        )
    }
}

pub(crate) async fn check(context: &Context, args: &CheckContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let meta = session.meta().await?;
    let languages = languages(&args.languages, &meta)?;
    let chosen = match args.paths.is_empty() {
        true => None,
        false => Some(selection(context, &session, &meta, &args.paths)?),
    };
    let held = existing(&session, |document| chosen.as_ref().is_none_or(|chosen| chosen.has(document))).await?;
    let found = read_all(context, &session, &held, &languages).await?;
    let printer = &context.printer;
    for one in &found {
        printer.line(format!("{} in {} is {}", one.document, one.language, one.state));
        if let Some(size) = &one.too_large {
            printer.line(format!("  it {}", exceeds(size)));
        }
        for problem in &one.problems {
            printer.line(format!("  {}", shortened(&problem.text)));
            match &problem.translation {
                None => printer.line("    is not translated"),
                Some(text) if problem.issues.is_empty() => {
                    printer.line(format!("    waits for a person's review: {}", shortened(text)));
                }
                Some(text) => {
                    printer.line(format!("    {}", shortened(text)));
                    problem
                        .issues
                        .iter()
                        .for_each(|issue| printer.line(format!("    {}: {}", issue.check, issue.message)));
                }
            }
        }
    }
    let not_begun = held.iter().flat_map(|document| &document.languages);
    let not_begun = not_begun.filter(|language| languages.contains(&language.code) && !is_begun(language)).count();
    if not_begun > 0 {
        let translations = counted(not_begun as u64, "translation");
        printer.note(format!(
            "{translations} not begun, which a publish leaves out; translate them with `l10n content run`"
        ));
    }
    let verdict = match found.len() {
        0 => Ok(()),
        count => Err(CliError::from(NotReady(counted(count as u64, "translation")))),
    };
    if verdict.is_ok() {
        printer.done("A publish would take every document in each of its languages");
    }
    let error = verdict.as_ref().err().map(CliError::to_json);
    printer.json(&Checked { ready: verdict.is_ok(), documents: found, error });
    conclude(context, verdict)
}

/// Reads the drafts of documents in the languages into which at least one segment is translated; returns those with
/// problems.
pub(super) async fn read_all(
    context: &Context,
    session: &Session,
    held: &[Document],
    asked: &[LanguageCode],
) -> Result<Vec<CheckedLanguage>, CliError> {
    let drafts: Vec<_> = held
        .iter()
        .flat_map(|document| document.languages.iter().map(move |language| (document, language)))
        .filter(|(_, language)| asked.contains(&language.code) && is_begun(language))
        .collect();
    let bar = Progress::new(&context.printer, "Checking", drafts.len() as u64);
    let (bar, content) = (&bar, session.project.content());
    let content = &content;
    let reads = drafts.into_iter().map(|(document, language)| async move {
        let code = language.code.clone();
        let read =
            content.draft(document.doc_id.clone(), code.clone()).await.doing(format!("reading {}", name(document)))?;
        bar.step();
        let state = read.languages.iter().find(|own| own.code == code).map_or(language.state, |own| own.state);
        let (document, doc_id) = (name(document).to_owned(), document.doc_id.clone());
        let (problems, too_large) = (read.problems, read.too_large);
        Ok::<_, CliError>(CheckedLanguage { document, doc_id, language: code, state, problems, too_large })
    });
    let read: Vec<CheckedLanguage> = stream::iter(reads).buffered(DOCUMENTS_AT_ONCE).try_collect().await?;
    let is_taken = |one: &CheckedLanguage| one.problems.is_empty() && one.state == DocumentState::Translated;
    Ok(read.into_iter().filter(|one| !is_taken(one)).collect())
}

/// Returns true if a segment is translated. A publish leaves out a language without any, instead of holding the
/// document back.
pub(super) fn is_begun(language: &DocumentLanguage) -> bool {
    language.state != DocumentState::Missing
}

/// The predicate of a sentence about a document that is too large.
pub(super) fn exceeds(size: &TooLarge) -> String {
    // Rounded up, so that a size just over the limit does not look equal to it.
    let kilobytes = size.bytes.div_ceil(1024);
    format!(
        "has {kilobytes} KB, but the limit of a publish is {} KB; split it into several documents",
        size.limit / 1024
    )
}

//! `l10n content`: documents.

mod check;
mod list;
mod publish;
mod pull;
mod push;
mod run;

use std::path::PathBuf;

use l10n_client::api::LanguageCode;
use l10n_client::api::content::{Document, ListQuery};
use l10n_client::api::meta::Meta;
use l10n_formats::locales::is_same_tag;

use crate::args::{ContentArgs, ContentCommand};
use crate::context::Context;
use crate::document_files::DocumentFiles;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;

/// Number of parallel requests. The server's budget is by the minute, so more of them would only be refused sooner.
const AT_ONCE: usize = 4;

pub(crate) async fn content(context: &Context, args: ContentArgs) -> Result<ExitStatus, CliError> {
    match args.command {
        ContentCommand::Push(args) => push::push(context, &args).await,
        ContentCommand::Run(args) => run::run(context, &args).await,
        ContentCommand::Publish(args) => publish::publish(context, &args).await,
        ContentCommand::Pull(args) => pull::pull(context, &args).await,
        ContentCommand::Check(args) => check::check(context, &args).await,
        ContentCommand::List(args) => list::list(context, &args).await,
    }
}

/// The documents that `l10n.toml` and the command line select.
fn selection(context: &Context, session: &Session, meta: &Meta, paths: &[PathBuf]) -> Result<DocumentFiles, CliError> {
    let settings = &session.settings;
    let config = settings.config().ok();
    let base = config.and_then(|(_, config)| config.base_language.as_deref()).map(LanguageCode::new);
    DocumentFiles::of(
        config,
        settings.root(),
        base.unwrap_or_else(|| meta.base_language.clone()),
        &context.folder,
        paths,
    )
}

/// The documents of the project.
async fn documents(session: &Session) -> Result<Vec<Document>, CliError> {
    session.project.content().list_all(ListQuery::default()).await.doing("reading the documents")
}

/// The requested languages, all of which the project must have; all of the project's if none is requested.
fn languages(asked: &[String], meta: &Meta) -> Result<Vec<LanguageCode>, CliError> {
    let all: Vec<LanguageCode> = meta.languages.iter().map(|language| language.code.clone()).collect();
    if asked.is_empty() {
        return Ok(all);
    }
    let find = |code: &String| {
        all.iter().find(|known| is_same_tag(known.as_str(), code)).cloned().ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(LanguageCode::as_str).collect();
            CliError::usage(
                format!("the project has no language `{code}`"),
                format!("it has {}; add it with `l10n languages add {code}`", known.join(", ")),
            )
        })
    };
    asked.iter().map(find).collect()
}

/// The name by which people know a document.
fn name(document: &Document) -> &str {
    document.external_id.as_deref().unwrap_or(document.doc_id.as_str())
}

/// Returns true if an error is about one document, so that the others can go on.
fn is_about_the_document(error: &CliError) -> bool {
    match error {
        CliError::DocumentRefused { code, .. } => matches!(code.status(), Some(400 | 404 | 409 | 413)),
        CliError::Source(_) | CliError::Target(_) | CliError::BrokenFile { .. } => true,
        CliError::Api { source: l10n_client::Error::Api(answer), .. } => matches!(answer.status, 400 | 404 | 409 | 413),
        _ => false,
    }
}

/// Returns success if all documents succeeded. A failure beside successes is a partial failure; otherwise the failure
/// itself is returned.
fn settle(context: &Context, mut errors: Vec<CliError>, done: usize, wanted: usize) -> Result<(), CliError> {
    let Some(last) = errors.pop() else { return Ok(()) };
    for error in &errors {
        context.printer.error_text(error);
    }
    if done == 0 {
        return Err(last);
    }
    context.printer.error_text(&last);
    Err(CliError::Partial(format!("{done} of {wanted} documents succeeded, {} failed", wanted - done)))
}

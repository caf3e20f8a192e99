//! `l10n content publish`: makes documents and their translations live.
//!
//! Calls `publish::create`, `content::list`, `content::read`, `meta::read`.

use std::collections::HashMap;
use std::future;

use futures_util::{StreamExt as _, stream};
use l10n_client::api::DocumentId;
use l10n_client::api::content::{Document, TooLarge};
use l10n_client::api::events::{DocumentAction, PublishedDocument};
use l10n_client::api::operations::{CreateBody, OperationKind, OperationTarget};
use l10n_client::api::publish::{Create, Publish, PublishAnswer, PublishTarget};
use l10n_client::api::{LanguageCode, NoQuery};

use super::check::{exceeds, is_begun, read_all};
use crate::args::{PublishContentArgs, language_codes};
use crate::context::Context;
use crate::error::{CliError, usage};
use crate::exit::ExitStatus;
use crate::lookup::{documents, existing, languages as known_languages, selection};
use crate::run::{DOCUMENTS_AT_ONCE, ask_outcome, obtain, print_answer, print_replayed, print_unconfirmed};
use crate::session::Session;
use crate::source_files::is_asked;

pub(crate) async fn publish(context: &Context, args: &PublishContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let languages = language_codes(&args.languages);
    let doc_ids = chosen(context, &session, args).await?;
    let ask = ask(&doc_ids, languages.clone());
    let operation_id = obtain(context, &session, &args.approval, ask).await?;
    let target = Some(PublishTarget::Content);
    let body = Publish { target, label: None, languages, doc_ids: doc_ids.clone(), operation_id };
    let project = session.once(&args.once);
    let mut status = ExitStatus::Success;
    match project.reply::<Create>(session.path(), &NoQuery {}, &body).await {
        Ok(reply) => {
            context.printer.json(&reply.value);
            print_answer(context, &reply.value, "Published");
            print_replayed(context, reply.replayed);
            if let PublishAnswer::Content(published) = &reply.value {
                let sizes = match published.summary.docs_too_large {
                    0 => HashMap::new(),
                    _ => too_large(&session, &published.documents, &args.languages).await,
                };
                print_each(context, &published.documents, &sizes);
                if published.summary.docs_held > 0 {
                    status = ExitStatus::Partial;
                }
            }
        }
        Err(error) => {
            let receipt = ask_outcome(context, &session, "publishing documents", error).await?;
            print_unconfirmed(context, &receipt, "Published");
            status = status_unheard(context, &session, doc_ids.as_deref(), &args.languages).await;
        }
    }
    context.printer.note("`l10n content pull` writes the translated documents.");
    Ok(status)
}

/// The exit status of a publish whose answer was lost: it depends on the documents that are held back now.
async fn status_unheard(
    context: &Context,
    session: &Session,
    chosen: Option<&[DocumentId]>,
    asked: &[String],
) -> ExitStatus {
    let printer = &context.printer;
    let held = async {
        let languages = known_languages(asked, &session.meta().await?)?;
        let is_chosen = |document: &Document| chosen.is_none_or(|ids| ids.contains(&document.doc_id));
        read_all(context, session, &existing(session, is_chosen).await?, &languages).await
    };
    match held.await {
        Ok(held) if held.is_empty() => ExitStatus::Success,
        Ok(held) => {
            for one in &held {
                printer.warn(format!("{} is held back: in {} it is {}", one.document, one.language, one.state));
            }
            ExitStatus::Partial
        }
        Err(error) => {
            printer.warn(format!("whether documents were held back is unknown: {}", error.message()));
            ExitStatus::Open
        }
    }
}

/// The selected documents; `None` for all of the project.
async fn chosen(
    context: &Context,
    session: &Session,
    args: &PublishContentArgs,
) -> Result<Option<Vec<DocumentId>>, CliError> {
    let paths = &args.documents.paths;
    let has_entries = session.settings.config().is_ok_and(|(_, config)| !config.content.is_empty());
    if paths.is_empty() && !has_entries {
        return Ok(None);
    }
    let chosen = selection(context, session, &session.meta().await?, paths)?;
    let held = documents(session).await?;
    let ids: Vec<DocumentId> =
        held.iter().filter(|document| chosen.has(document)).map(|document| document.doc_id.clone()).collect();
    if ids.is_empty() {
        return Err(usage("none of these documents is on the server", "upload them with `l10n content push`"));
    }
    // For all documents no list is sent, because its length is limited.
    Ok((ids.len() < held.len()).then_some(ids))
}

/// The operation to request. An approval is for one document or for all.
fn ask(doc_ids: &Option<Vec<DocumentId>>, languages: Option<Vec<LanguageCode>>) -> CreateBody {
    let doc_id = match doc_ids.as_deref() {
        Some([one]) => Some(one.clone()),
        _ => None,
    };
    CreateBody { target: Some(OperationTarget::Content), doc_id, languages, ..CreateBody::new(OperationKind::Publish) }
}

/// The sizes of documents that are held back for their size, with the language. The publish is done by now: a size that
/// cannot be read, such as without the scope `read`, is unknown.
async fn too_large(
    session: &Session,
    documents: &[PublishedDocument],
    asked: &[String],
) -> HashMap<DocumentId, (LanguageCode, TooLarge)> {
    let content = session.project.content();
    let content = &content;
    let held = documents.iter().filter(|document| document.action == DocumentAction::Held);
    let reads = held.map(|document| async move {
        let source = content.source(document.doc_id.clone()).await.ok()?;
        let begun = source.languages.iter().filter(|language| is_begun(language));
        for language in begun.filter(|language| is_asked(asked, language.code.as_str())) {
            let code = language.code.clone();
            let draft = content.draft(document.doc_id.clone(), code.clone()).await.ok()?;
            if let Some(size) = draft.too_large {
                return Some((document.doc_id.clone(), (code, size)));
            }
        }
        None
    });
    stream::iter(reads).buffered(DOCUMENTS_AT_ONCE).filter_map(future::ready).collect().await
}

fn print_each(
    context: &Context,
    documents: &[PublishedDocument],
    sizes: &HashMap<DocumentId, (LanguageCode, TooLarge)>,
) {
    for document in documents {
        let path = document.external_id.as_deref().unwrap_or(document.doc_id.as_str());
        match document.action {
            DocumentAction::Published => context.printer.line(format!("+ {path}")),
            DocumentAction::Held => match sizes.get(&document.doc_id) {
                Some((language, size)) => {
                    context.printer.warn(format!("{path} is held back: in {language} it {}", exceeds(size)));
                }
                None => context.printer.warn(format!(
                    "{path} is held back: a text did not pass the checks, or a language is not complete; \
                     `l10n content check` says why"
                )),
            },
            DocumentAction::Unchanged | DocumentAction::Skipped => {}
            action => context.printer.line(format!("{path}: {action}")),
        }
    }
}

//! `l10n content publish`: makes documents and their translations live.
//!
//! Calls `publish::create`, `content::list`, `meta::read`.

use l10n_client::api::DocumentId;
use l10n_client::api::events::{DocumentAction, PublishedDocument};
use l10n_client::api::operations::{CreateBody, OperationKind, OperationTarget};
use l10n_client::api::publish::{Create, Publish, PublishAnswer, PublishTarget};
use l10n_client::api::{LanguageCode, NoQuery};

use super::{documents, selection};
use crate::args::PublishContentArgs;
use crate::commands::language_codes;
use crate::commands::publish::{print_answer, print_replayed, print_unheard};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::run::{ask_fate, obtain};
use crate::session::Session;

pub(crate) async fn publish(context: &Context, args: &PublishContentArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let languages = language_codes(&args.languages);
    let doc_ids = chosen(context, &session, args).await?;
    let ask = ask(&doc_ids, languages.clone());
    let operation_id = obtain(context, &session, &args.approval, ask).await?;
    let target = Some(PublishTarget::Content);
    let body = Publish { target, label: None, languages, doc_ids, operation_id };
    let project = session.once(&args.once);
    match project.reply::<Create>(session.path(), &NoQuery {}, &body).await {
        Ok(reply) => {
            context.printer.json(&reply.value);
            print_answer(context, &reply.value, "Published");
            if let PublishAnswer::Content(published) = &reply.value {
                print_held(context, &published.documents);
            }
            print_replayed(context, reply.replayed);
        }
        Err(error) => {
            let receipt = ask_fate(context, &session, "publishing documents", error).await?;
            print_unheard(context, &receipt, "Published");
        }
    }
    context.printer.note("`l10n content pull` writes the translated documents.");
    Ok(ExitStatus::Success)
}

/// The documents that are meant; `None` for all of the project.
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
        return Err(CliError::usage(
            "none of these documents is on the server",
            "`l10n content push` brings them there",
        ));
    }
    // All of them need no list, which has an end.
    Ok((ids.len() < held.len()).then_some(ids))
}

/// What a person is asked for. An approval is of one document or of all.
fn ask(doc_ids: &Option<Vec<DocumentId>>, languages: Option<Vec<LanguageCode>>) -> CreateBody {
    let doc_id = match doc_ids.as_deref() {
        Some([one]) => Some(one.clone()),
        _ => None,
    };
    CreateBody { target: Some(OperationTarget::Content), doc_id, languages, ..CreateBody::new(OperationKind::Publish) }
}

fn print_held(context: &Context, documents: &[PublishedDocument]) {
    for document in documents {
        let path = document.external_id.as_deref().unwrap_or(document.doc_id.as_str());
        match document.action {
            DocumentAction::Published => context.printer.line(format!("+ {path}")),
            DocumentAction::Held => context.printer.warn(format!(
                "{path} is held back: a text did not pass the checks, or a language is not complete; \
                 `l10n content check` says why"
            )),
            DocumentAction::Unchanged | DocumentAction::Skipped => {}
        }
    }
}

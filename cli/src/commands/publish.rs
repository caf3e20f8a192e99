//! `l10n publish`: freezes a version and makes it live.
//!
//! Calls `publish::create`.

use l10n_client::api::NoQuery;
use l10n_client::api::operations::{CreateBody, OperationKind};
use l10n_client::api::publish::{Create, Publish};

use crate::args::{PublishArgs, language_codes};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::run::{ask_outcome, obtain, print_answer, print_replayed, print_unconfirmed};
use crate::session::Session;

pub(crate) async fn publish(context: &Context, args: &PublishArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let languages = language_codes(&args.languages);
    let ask = CreateBody { languages: languages.clone(), ..CreateBody::new(OperationKind::Publish) };
    let operation_id = obtain(context, &session, &args.approval, ask).await?;
    let body = Publish { label: args.label.clone(), languages, operation_id, ..Publish::default() };
    let project = session.once(&args.once);
    match project.reply::<Create>(session.path(), &NoQuery {}, &body).await {
        Ok(reply) => {
            context.printer.json(&reply.value);
            print_answer(context, &reply.value, "Published");
            print_replayed(context, reply.replayed);
        }
        Err(error) => {
            print_unconfirmed(context, &ask_outcome(context, &session, "publishing", error).await?, "Published")
        }
    }
    context.printer.note("`l10n pull` writes its files.");
    Ok(ExitStatus::Success)
}

//! `l10n restore VERSION`: makes an earlier version live again.
//!
//! Calls `versions::restore`.

use l10n_client::api::NoQuery;
use l10n_client::api::operations::{CreateBody, OperationKind};
use l10n_client::api::versions::{Restore, RestoreBody, VersionPath};

use crate::args::RestoreArgs;
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::lookup::find_version;
use crate::run::{ask_outcome, obtain, print_answer, print_replayed, print_unconfirmed};
use crate::session::Session;

pub(crate) async fn restore(context: &Context, args: &RestoreArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let version = find_version(&session, &args.version).await?;
    let ask = CreateBody { version_id: Some(version.clone()), ..CreateBody::new(OperationKind::Rollback) };
    let operation_id = obtain(context, &session, &args.approval, ask).await?;
    let path = VersionPath { project_id: session.project.id().clone(), version_id: version.clone() };
    let project = session.once(&args.once);
    match project.reply::<Restore>(&path, &NoQuery {}, &RestoreBody { operation_id }).await {
        Ok(reply) => {
            context.printer.json(&reply.value);
            print_answer(context, &reply.value, "Restored");
            print_replayed(context, reply.replayed);
        }
        Err(error) => {
            let receipt = ask_outcome(context, &session, &format!("restoring {version}"), error).await?;
            print_unconfirmed(context, &receipt, "Restored");
        }
    }
    context.printer.note(match version.as_str().starts_with("cvr_") {
        true => "The document's source and translations stay as they are; `l10n content pull` writes the live version.",
        false => "Keys and translations stay as they are; `l10n pull` writes this version's files.",
    });
    Ok(ExitStatus::Success)
}

//! `l10n operations request`: asks a person.
//!
//! Calls `operations::create`.

use l10n_client::api::operations::CreateBody;

use super::story;
use crate::args::{RequestOperationArgs, language_codes};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::lookup::find_version;
use crate::run::whole_credits;
use crate::session::Session;

pub(crate) async fn request(context: &Context, args: &RequestOperationArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let version_id = match &args.version {
        Some(name) => Some(find_version(&session, name).await?),
        None => None,
    };
    let body = CreateBody {
        target: args.target,
        max_credits: args.max_credits.map(whole_credits),
        max_archived_keys: args.max_archived_keys,
        version_id,
        languages: language_codes(&args.languages),
        note: args.note.clone(),
        ..CreateBody::new(args.kind)
    };
    let operation = session.project.operations().create(&body).await.doing("asking for approval")?;
    context.printer.json(&operation);
    context.printer.done(format!("Requested {}", operation.operation_id));
    story::tell(&context.printer, &operation);
    Ok(ExitStatus::Success)
}

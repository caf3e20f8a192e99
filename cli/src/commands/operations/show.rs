//! `l10n operations show`: an operation and its status.
//!
//! Calls `operations::read`.

use super::story;
use crate::args::OperationArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;

pub(crate) async fn show(context: &Context, args: &OperationArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let operation =
        session.project.operations().get(args.id.as_str()).await.doing(format!("reading the operation {}", args.id))?;
    context.printer.json(&operation);
    story::tell(&context.printer, &operation);
    Ok(ExitStatus::Success)
}

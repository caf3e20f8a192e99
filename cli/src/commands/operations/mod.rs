//! `l10n operations`: approvals by people.

mod request;
mod show;
mod story;
mod wait;

use crate::args::{OperationsArgs, OperationsCommand};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;

pub(crate) async fn operations(context: &Context, args: OperationsArgs) -> Result<ExitStatus, CliError> {
    match args.command {
        OperationsCommand::Request(args) => request::request(context, &args).await,
        OperationsCommand::Wait(args) => wait::wait(context, &args).await,
        OperationsCommand::Show(args) => show::show(context, &args).await,
    }
}

//! `l10n content`: documents.

mod check;
mod list;
mod publish;
mod pull;
mod push;
mod run;
mod upload;

use crate::args::{ContentArgs, ContentCommand};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;

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

//! `l10n webhooks`: addresses that are called when the project publishes.

mod create;
mod delete;
mod list;
mod listen;
mod rotate_secret;
mod sample;
mod secret;
mod secret_file;
mod trigger;
mod update;
mod verify;

use crate::args::{WebhooksArgs, WebhooksCommand};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;

pub(crate) async fn webhooks(context: &Context, args: WebhooksArgs) -> Result<ExitStatus, CliError> {
    match args.command.unwrap_or(WebhooksCommand::List) {
        WebhooksCommand::Create(args) => create::create(context, &args).await,
        WebhooksCommand::List => list::list(context).await,
        WebhooksCommand::Update(args) => update::update(context, args).await,
        WebhooksCommand::Delete(args) => delete::delete(context, &args).await,
        WebhooksCommand::Listen(args) => listen::listen(context, &args).await,
        WebhooksCommand::Trigger(args) => trigger::trigger(context, &args).await,
        WebhooksCommand::Verify(args) => verify::verify(context, &args).await,
        WebhooksCommand::RotateSecret(args) => rotate_secret::rotate_secret(context, &args).await,
    }
}

//! `l10n deliveries`: the deliveries to webhooks and their status.

mod list;
mod resend;
mod story;

use crate::args::{DeliveriesArgs, DeliveriesCommand, ListDeliveriesArgs};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;

pub(crate) async fn deliveries(context: &Context, args: DeliveriesArgs) -> Result<ExitStatus, CliError> {
    match args.command {
        None => list::list(context, &ListDeliveriesArgs::default()).await,
        Some(DeliveriesCommand::List(args)) => list::list(context, &args).await,
        Some(DeliveriesCommand::Resend(args)) => resend::resend(context, &args).await,
    }
}

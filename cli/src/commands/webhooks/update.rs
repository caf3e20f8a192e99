//! `l10n webhooks update WEBHOOK`: changes its URL or events, enables or disables it.
//!
//! Calls `webhooks::update`.

use l10n_client::api::webhooks::UpdateBody;

use super::list::table;
use crate::args::UpdateWebhookArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::lookup::find_webhook;
use crate::session::Session;

pub(crate) async fn update(context: &Context, args: UpdateWebhookArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let webhook = find_webhook(&session, &args.webhook).await?;
    let enabled = (args.enable || args.disable).then_some(args.enable);
    let body = UpdateBody { url: args.url, events: args.events, enabled };
    let updated = session.project.webhooks().update(webhook, &body).await.doing("changing the webhook")?;
    let printer = &context.printer;
    printer.json(&updated);
    printer.done(format!("Changed {}", updated.webhook_id));
    printer.table(&table(&[updated]));
    Ok(ExitStatus::Success)
}

//! `l10n webhooks delete WEBHOOK`: deletes a webhook with its log.
//!
//! Calls `webhooks::delete`.

use serde_json::json;

use crate::args::DeleteWebhookArgs;
use crate::confirm::confirm;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::lookup::{find_webhook, look_up_webhook};
use crate::session::Session;

pub(crate) async fn delete(context: &Context, args: &DeleteWebhookArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let webhook = if args.yes {
        find_webhook(&session, &args.webhook).await?
    } else {
        let webhook = look_up_webhook(&session, &args.webhook).await?;
        let question = format!("Delete {} ({}) with its delivery log?", webhook.webhook_id, webhook.url);
        confirm(&context.printer, &question).await?;
        webhook.webhook_id
    };
    session.project.webhooks().delete(webhook.clone()).await.doing("deleting the webhook")?;
    context.printer.json(&json!({ "webhookId": webhook }));
    context.printer.done(format!("Deleted {webhook}"));
    Ok(ExitStatus::Success)
}

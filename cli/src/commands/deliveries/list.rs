//! `l10n deliveries list [WEBHOOK]`: the last deliveries and their errors.
//!
//! Calls `deliveries::list`.

use l10n_client::api::WebhookId;
use l10n_client::api::deliveries::{Delivery, DeliveryStatus};
use serde::Serialize;

use super::story::story;
use crate::args::ListDeliveriesArgs;
use crate::clock::now;
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::lookup::{find_webhook, webhooks};
use crate::session::Session;
use crate::table::{Align, Table};
use crate::words::time;

/// A delivery with its webhook.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedDelivery {
    pub(crate) webhook_id: WebhookId,
    #[serde(flatten)]
    pub(crate) delivery: Delivery,
}

#[derive(Serialize)]
struct Deliveries<'a> {
    deliveries: &'a [ListedDelivery],
}

pub(crate) async fn list(context: &Context, args: &ListDeliveriesArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let mut entries = read(&session, args.webhook.as_deref()).await?;
    if args.failing {
        entries.retain(|entry| is_failing(&entry.delivery));
    }
    let printer = &context.printer;
    printer.json(&Deliveries { deliveries: &entries });
    if entries.is_empty() {
        let what = if args.failing { "No delivery is failing." } else { "Nothing has been delivered yet." };
        printer.line(what);
    }
    let many = entries.iter().any(|entry| entry.webhook_id != entries[0].webhook_id);
    printer.table(&table(&entries, many));
    Ok(ExitStatus::Success)
}

/// The log of a webhook, or of all webhooks of the project, newest first.
pub(crate) async fn read(session: &Session, webhook: Option<&str>) -> Result<Vec<ListedDelivery>, CliError> {
    let webhooks = match webhook {
        Some(name) => vec![find_webhook(session, name).await?],
        None => webhooks(session).await?.into_iter().map(|webhook| webhook.webhook_id).collect(),
    };
    let mut entries = Vec::new();
    for webhook_id in webhooks {
        let log = session.project.deliveries(webhook_id.clone()).list().await.doing("reading the deliveries")?;
        entries.extend(log.into_iter().map(|delivery| ListedDelivery { webhook_id: webhook_id.clone(), delivery }));
    }
    // The sort is stable: the server's own order decides within a webhook.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.delivery.created_at));
    Ok(entries)
}

fn is_failing(delivery: &Delivery) -> bool {
    match delivery.status {
        DeliveryStatus::Failed => true,
        DeliveryStatus::Delivered => false,
        _ => delivery.attempts > 0,
    }
}

fn table(entries: &[ListedDelivery], with_webhook: bool) -> Table {
    let mut columns = vec![("DELIVERY", Align::Left), ("EVENT", Align::Left), ("CREATED", Align::Left)];
    columns.extend([("STATUS", Align::Left), ("ATTEMPTS", Align::Right), ("ANSWER", Align::Right)]);
    if with_webhook {
        columns.push(("WEBHOOK", Align::Left));
    }
    let mut table = Table::new(columns);
    let now = now();
    for ListedDelivery { webhook_id, delivery } in entries {
        let mut cells = vec![
            delivery.delivery_id.to_string(),
            delivery.event_type.to_string(),
            time(delivery.created_at),
            delivery.status.to_string(),
            delivery.attempts.to_string(),
            delivery.last_status_code.map_or_else(|| "-".to_owned(), |status| status.to_string()),
        ];
        if with_webhook {
            cells.push(webhook_id.to_string());
        }
        table.row(cells);
        for sentence in story(webhook_id, delivery, now) {
            table.note(sentence);
        }
    }
    table
}

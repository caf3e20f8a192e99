//! `l10n webhooks list`: the project's webhooks.
//!
//! Calls `webhooks::list`.

use l10n_client::api::webhooks::{DisabledReason, Webhook};
use serde::Serialize;

use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::lookup::{events, webhooks};
use crate::session::Session;
use crate::table::{Align, Table};
use crate::words::{counted, time};

#[derive(Serialize)]
struct Webhooks<'a> {
    webhooks: &'a [Webhook],
}

pub(crate) async fn list(context: &Context) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let webhooks = webhooks(&session).await?;
    let printer = &context.printer;
    printer.json(&Webhooks { webhooks: &webhooks });
    if webhooks.is_empty() {
        printer.line("The project has no webhooks.");
        printer.note(
            "Register one with `l10n webhooks create URL`, or receive on this machine with `l10n webhooks listen`.",
        );
    }
    printer.table(&table(&webhooks));
    if webhooks.iter().any(|webhook| webhook.disabled_reason.is_some()) {
        printer.note(
            "See the failures with `l10n deliveries list`, and resume with `l10n webhooks update WEBHOOK --enable`.",
        );
    }
    Ok(ExitStatus::Success)
}

/// A table of webhooks and their status.
pub(crate) fn table(webhooks: &[Webhook]) -> Table {
    let mut table = Table::new([
        ("WEBHOOK", Align::Left),
        ("EVENTS", Align::Left),
        ("SECRET", Align::Left),
        ("STATE", Align::Left),
        ("URL", Align::Left),
    ]);
    for webhook in webhooks {
        table.row([
            webhook.webhook_id.to_string(),
            events(&webhook.events),
            format!("…{}", webhook.secret_hint),
            state(webhook),
            webhook.url.clone(),
        ]);
        if let Some(until) = webhook.previous_secret_expires_at {
            table.note(format!("The previous secret also signs until {}.", time(until)));
        }
    }
    table
}

fn state(webhook: &Webhook) -> String {
    match (webhook.enabled, webhook.disabled_reason) {
        (true, _) if webhook.consecutive_failures == 0 => "enabled".to_owned(),
        (true, _) => format!("enabled, {} in a row failed", counted(webhook.consecutive_failures, "delivery")),
        (false, Some(DisabledReason::AutoFailures)) => "disabled: three deliveries in a row failed".to_owned(),
        (false, Some(reason)) => format!("disabled: {reason}"),
        (false, None) => "disabled".to_owned(),
    }
}

//! Changing a webhook.

use std::sync::Arc;

use l10n_api_types::WebhookId;
use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::{UpdateBody, Webhook};

use super::{WebhookManager, entry, fields, lock, rows};
use crate::clock::Clock;
use crate::deliveries_due::DeliveriesDue;
use crate::domain::people::audit::AuditAction;
use crate::domain::{ServiceError, deliveries};
use crate::egress::{Egress, Target};
use crate::store::Tx;
use crate::store::row::Json;

/// A change whose URL and events have been judged.
#[derive(Debug)]
pub struct WebhookChange {
    target: Option<Target>,
    events: Option<Vec<EventType>>,
    enabled: Option<bool>,
}

impl WebhookChange {
    /// Judges a request, before a transaction begins.
    ///
    /// # Errors
    ///
    /// 400 for a request that changes nothing (§4 rule 4), a URL that deliveries may not be sent to, and no event.
    pub async fn judge(egress: &Egress, body: UpdateBody) -> Result<Self, ServiceError> {
        if body.url.is_none() && body.events.is_none() && body.enabled.is_none() {
            let message = "the body must have at least one of `url`, `events` and `enabled`";
            return Err(ServiceError::InvalidArgument(message.to_owned()));
        }
        let events = body.events.map(fields::events).transpose()?;
        let target = match &body.url {
            Some(url) => Some(fields::target(egress, url).await?),
            None => None,
        };
        Ok(Self { target, events, enabled: body.enabled })
    }

    /// The fields that it changes, for the audit log. A URL may hold a secret, so that the log has the host alone.
    fn names(&self) -> String {
        let target = self.target.as_ref().map(|target| format!("url ({})", target.host()));
        let events = self.events.as_ref().map(|_| "events".to_owned());
        let enabled = self.enabled.map(|enabled| if enabled { "enabled" } else { "disabled" }.to_owned());
        [target, events, enabled].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Makes all of the change. Enabling clears the count of failures and lets planned deliveries go on, also where the
/// webhook was enabled before (§3). Disabling stops them.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub async fn update<'a>(
    tx: &mut Tx,
    clock: &dyn Clock,
    deliveries_due: &Arc<DeliveriesDue>,
    by: impl Into<WebhookManager<'a>>,
    id: &WebhookId,
    change: WebhookChange,
) -> Result<Webhook, ServiceError> {
    let (by, now) = (by.into(), clock.now());
    let mut webhook = lock(tx, by.project, id).await?;
    let detail = format!("{}: {}", webhook.host, change.names());
    if let Some(target) = change.target {
        webhook.url = target.as_str().to_owned();
        webhook.host = target.host().to_owned();
    }
    if let Some(events) = change.events {
        webhook.events = Json(events);
    }
    match change.enabled {
        Some(true) => {
            webhook.disabled_reason = None;
            webhook.consecutive_failures = 0;
            webhook.disabled_at = None;
        }
        Some(false) if webhook.enabled => webhook.disabled_at = Some(now),
        Some(false) | None => {}
    }
    webhook.enabled = change.enabled.unwrap_or(webhook.enabled);
    rows::update(tx, &webhook).await?;
    by.tell(tx, now, AuditAction::WebhookChanged, id, Some(&detail)).await?;
    match change.enabled {
        Some(true) => deliveries::resume(tx, deliveries_due, by.project, id, now).await?,
        Some(false) => deliveries::pause(tx, id).await?,
        None => {}
    }
    Ok(entry(webhook, now))
}

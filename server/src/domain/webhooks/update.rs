//! Changing a webhook.

use std::sync::Arc;

use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::{UpdateBody, Webhook};

use super::{entry, fields, lock, rows};
use crate::clock::Clock;
use crate::deliveries_due::DeliveriesDue;
use crate::domain::{Caller, ServiceError, deliveries};
use crate::egress::{Egress, Target};
use crate::store::Tx;
use crate::store::row::Json;

/// A change whose URL and events have been judged.
#[derive(Debug)]
pub(crate) struct WebhookChange {
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
    pub(crate) async fn judge(egress: &Egress, body: UpdateBody) -> Result<Self, ServiceError> {
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
}

/// Makes all of the change. Enabling clears the count of failures and lets planned deliveries go on, also where the
/// webhook was enabled before (§3). Disabling stops them.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub(crate) async fn update(
    tx: &mut Tx,
    clock: &dyn Clock,
    deliveries_due: &Arc<DeliveriesDue>,
    caller: &Caller,
    id: &str,
    change: WebhookChange,
) -> Result<Webhook, ServiceError> {
    let now = clock.now();
    let mut webhook = lock(tx, caller, id).await?;
    if let Some(target) = change.target {
        webhook.url = target.as_str().to_owned();
        webhook.host = target.host().to_owned();
    }
    if let Some(events) = change.events {
        webhook.events = Json(events);
    }
    if let Some(enabled) = change.enabled {
        webhook.enabled = enabled;
        if enabled {
            webhook.disabled_reason = None;
            webhook.consecutive_failures = 0;
        }
    }
    rows::update(tx, &webhook).await?;
    match change.enabled {
        Some(true) => deliveries::resume(tx, deliveries_due, &caller.project, id, now).await?,
        Some(false) => deliveries::pause(tx, id).await?,
        None => {}
    }
    Ok(entry(webhook, now))
}

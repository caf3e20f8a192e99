//! Registering a webhook.

use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::{CreateBody, Created};
use secrecy::ExposeSecret as _;

use super::{MOST, fields, rows, secret};
use crate::clock::Clock;
use crate::domain::{Caller, ServiceError};
use crate::egress::{Egress, Target};
use crate::ids::{IdKind, new_id};
use crate::store::row::Json;
use crate::store::{Tx, lock};
use crate::vault::Vault;

/// A registration whose URL and events have been judged.
#[derive(Debug)]
pub struct Registration {
    target: Target,
    events: Vec<EventType>,
}

impl Registration {
    /// Judges a request, before a transaction begins.
    ///
    /// # Errors
    ///
    /// 400 for a URL that deliveries may not be sent to, and for no event.
    pub async fn judge(egress: &Egress, body: CreateBody) -> Result<Self, ServiceError> {
        let events = fields::events(body.events)?;
        let target = fields::target(egress, &body.url).await?;
        Ok(Self { target, events })
    }
}

/// Registers a webhook and shows its secret, this once.
///
/// # Errors
///
/// 409 `webhook_limit` when the project has as many as it may, enabled or not.
pub async fn create(
    tx: &mut Tx,
    clock: &dyn Clock,
    vault: &Vault,
    caller: &Caller,
    registration: Registration,
) -> Result<Created, ServiceError> {
    let project = caller.project.as_str();
    // Whoever else registers one at the same time counts after this transaction.
    lock::project(tx, project).await?;
    if usize::try_from(rows::count(tx, project).await?).unwrap_or(usize::MAX) >= MOST {
        return Err(ServiceError::WebhookLimit(MOST));
    }
    let now = clock.now();
    let id = new_id(IdKind::Webhook, now);
    let secret = secret::fresh(vault, &id)?;
    let webhook = rows::Webhook {
        id,
        project_id: project.to_owned(),
        url: registration.target.as_str().to_owned(),
        host: registration.target.host().to_owned(),
        events: Json(registration.events),
        enabled: true,
        disabled_reason: None,
        consecutive_failures: 0,
        secret: secret.sealed,
        secret_hint: secret.hint,
        previous_secret: None,
        previous_secret_expires_at: None,
        created_at: now,
    };
    rows::insert(tx, &webhook).await?;
    Ok(Created {
        webhook_id: webhook.id.into(),
        url: webhook.url,
        events: webhook.events.0,
        enabled: webhook.enabled,
        secret: secret.text.expose_secret().to_owned(),
        created_at: webhook.created_at,
    })
}

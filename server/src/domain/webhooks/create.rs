//! Registering a webhook.

use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::{CreateBody, Created};
use l10n_api_types::{ProjectId, WebhookId};
use secrecy::ExposeSecret as _;

use super::{WebhookManager, fields, rows, secret};
use crate::clock::Clock;
use crate::domain::ServiceError;
use crate::domain::people::audit::AuditAction;
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

/// Returns true if the project has a webhook with this very URL, as one has whose form was sent twice. None is registered
/// meanwhile until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn is_known(
    tx: &mut Tx,
    project: &ProjectId,
    registration: &Registration,
) -> Result<bool, ServiceError> {
    lock::project(tx, project).await?;
    Ok(rows::count_of_url(tx, project, registration.target.as_str()).await? > 0)
}

/// Registers a webhook and shows its secret, this once.
///
/// # Errors
///
/// 409 `webhook_limit` when the project has as many as `by` may make, enabled or not, whoever made them.
pub async fn create<'a>(
    tx: &mut Tx,
    clock: &dyn Clock,
    vault: &Vault,
    by: impl Into<WebhookManager<'a>>,
    registration: Registration,
) -> Result<Created, ServiceError> {
    let by = by.into();
    let project = by.project;
    // Whoever else registers one at the same time counts after this transaction.
    lock::project(tx, project).await?;
    if usize::try_from(rows::count(tx, project).await?).unwrap_or(usize::MAX) >= by.most {
        return Err(ServiceError::WebhookLimit(by.most));
    }
    let now = clock.now();
    let id = WebhookId::new(new_id(IdKind::Webhook, now));
    let secret = secret::fresh(vault, &id)?;
    let webhook = rows::Webhook {
        id,
        project_id: project.clone(),
        url: registration.target.as_str().to_owned(),
        host: registration.target.host().to_owned(),
        events: Json(registration.events),
        enabled: true,
        disabled_reason: None,
        consecutive_failures: 0,
        disabled_at: None,
        secret: secret.sealed,
        secret_hint: secret.hint,
        previous_secret: None,
        previous_secret_expires_at: None,
        created_at: now,
    };
    rows::insert(tx, &webhook).await?;
    by.tell(tx, now, AuditAction::WebhookCreated, &webhook.id, Some(&webhook.host)).await?;
    Ok(Created {
        webhook_id: webhook.id,
        url: webhook.url,
        events: webhook.events.0,
        enabled: webhook.enabled,
        secret: secret.text.expose_secret().to_owned(),
        created_at: webhook.created_at,
    })
}

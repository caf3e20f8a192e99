//! Replacing the secret of a webhook.

use l10n_api_types::WebhookId;
use l10n_api_types::webhooks::Rotated;
use secrecy::ExposeSecret as _;

use super::{WebhookManager, lock, rows, secret};
use crate::clock::Clock;
use crate::domain::ServiceError;
use crate::domain::people::audit::AuditAction;
use crate::store::Tx;
use crate::vault::Vault;

/// Time that deliveries are also signed with the previous secret, in milliseconds: 24 hours (§6.9, §8).
const OVERLAP: i64 = 24 * 60 * 60 * 1_000;

/// Gives a webhook a new secret and shows it, this once. The one before signs beside it for 24 hours; one that was kept
/// from an earlier rotation is dropped (AMB-17).
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub async fn rotate_secret<'a>(
    tx: &mut Tx,
    clock: &dyn Clock,
    vault: &Vault,
    by: impl Into<WebhookManager<'a>>,
    id: &WebhookId,
) -> Result<Rotated, ServiceError> {
    let by = by.into();
    let webhook = lock(tx, by.project, id).await?;
    let secret = secret::fresh(vault, &webhook.id)?;
    let now = clock.now();
    let until = now.plus_millis(OVERLAP);
    let secrets = rows::WebhookSecrets {
        id: webhook.id.clone(),
        secret: secret.sealed,
        secret_hint: secret.hint,
        previous_secret: Some(webhook.secret),
        previous_secret_expires_at: Some(until),
    };
    rows::set_secrets(tx, &secrets).await?;
    by.tell(tx, now, AuditAction::WebhookSecretRotated, id, Some(&webhook.host)).await?;
    Ok(Rotated {
        webhook_id: webhook.id,
        secret: secret.text.expose_secret().to_owned(),
        previous_secret_expires_at: until,
    })
}

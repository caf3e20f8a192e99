//! Deleting a webhook.

use l10n_api_types::WebhookId;

use super::{WebhookManager, lock, rows};
use crate::clock::Clock;
use crate::domain::ServiceError;
use crate::domain::people::audit::AuditAction;
use crate::store::Tx;

/// Deletes a webhook with its deliveries: planned ones stop.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub async fn delete<'a>(
    tx: &mut Tx,
    clock: &dyn Clock,
    by: impl Into<WebhookManager<'a>>,
    id: &WebhookId,
) -> Result<(), ServiceError> {
    let by = by.into();
    let webhook = lock(tx, by.project, id).await?;
    rows::delete(tx, by.project, id).await?;
    by.tell(tx, clock.now(), AuditAction::WebhookDeleted, id, Some(&webhook.host)).await
}

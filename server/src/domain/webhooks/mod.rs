//! Webhooks: registered, changed, given new secrets, deleted (§2, §4).

mod create;
mod delete;
mod fields;
mod list;
mod manager;
mod reseal;
mod rotate_secret;
mod secret;
mod update;

pub(crate) use create::is_known;
pub use create::{Registration, create};
pub use delete::delete;
pub(crate) use list::{ManagedWebhook, RecentDeliveries, list, managed, overview};
pub use manager::WebhookManager;
pub(crate) use reseal::{missing_keys, reseal};
pub use rotate_secret::rotate_secret;
pub use update::{WebhookChange, update};

use l10n_api_types::webhooks::Webhook;
use l10n_api_types::{ProjectId, WebhookId};

use super::ServiceError;
use crate::clock::Timestamp;
pub(crate) use crate::egress::LONGEST_URL;
use crate::store::{Tx, webhooks as rows};

/// The project's webhook of this id.
///
/// # Errors
///
/// 404 when the project has none.
pub(crate) async fn find(tx: &mut Tx, project: &ProjectId, id: &WebhookId) -> Result<rows::Webhook, ServiceError> {
    rows::find(tx, project, id).await?.ok_or_else(unknown)
}

/// Like [`find`]; no other transaction changes it until `tx` ends.
pub(crate) async fn lock(tx: &mut Tx, project: &ProjectId, id: &WebhookId) -> Result<rows::Webhook, ServiceError> {
    rows::lock(tx, project, id).await?.ok_or_else(unknown)
}

fn unknown() -> ServiceError {
    ServiceError::NotFound("this project has no such webhook".to_owned())
}

/// A webhook as reads show it at `now`.
fn entry(row: rows::Webhook, now: Timestamp) -> Webhook {
    Webhook {
        webhook_id: row.id,
        url: row.url,
        events: row.events.0,
        enabled: row.enabled,
        secret_hint: row.secret_hint,
        disabled_reason: row.disabled_reason,
        consecutive_failures: u32::try_from(row.consecutive_failures).unwrap_or(u32::MAX),
        previous_secret_expires_at: row.previous_secret_expires_at.filter(|until| *until > now),
        created_at: row.created_at,
    }
}

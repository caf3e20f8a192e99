//! Webhooks: registered, changed, given new secrets, deleted (§2, §4).

mod create;
mod delete;
mod fields;
mod list;
mod reseal;
mod rotate_secret;
mod secret;
mod update;

pub use create::{Registration, create};
pub(crate) use delete::delete;
pub(crate) use list::list;
pub(crate) use reseal::{missing_keys, reseal};
pub(crate) use rotate_secret::rotate_secret;
pub(crate) use update::{WebhookChange, update};

use l10n_api_types::webhooks::Webhook;

use super::{Caller, ServiceError};
use crate::clock::Timestamp;
use crate::store::{Tx, webhooks as rows};

/// Webhooks of a project, enabled or not (§8).
const MOST: usize = 5;

/// The caller's webhook of this id.
///
/// # Errors
///
/// 404 when the caller's project has none.
pub(crate) async fn find(tx: &mut Tx, caller: &Caller, id: &str) -> Result<rows::Webhook, ServiceError> {
    rows::find(tx, caller.project.as_str(), id).await?.ok_or_else(unknown)
}

/// Like [`find`]; no other transaction changes it until `tx` ends.
async fn lock(tx: &mut Tx, caller: &Caller, id: &str) -> Result<rows::Webhook, ServiceError> {
    rows::lock(tx, caller.project.as_str(), id).await?.ok_or_else(unknown)
}

fn unknown() -> ServiceError {
    ServiceError::NotFound("this project has no such webhook".to_owned())
}

/// A webhook as reads show it at `now`.
fn entry(row: rows::Webhook, now: Timestamp) -> Webhook {
    Webhook {
        webhook_id: row.id.into(),
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

//! Kept answers when the master key is replaced.

use secrecy::ExposeSecret as _;

use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::idempotency_keys::{self, IdempotencyKeyName};
use crate::vault::Vault;

pub(crate) use crate::store::idempotency_keys::StoredAnswer;

/// Answers of one transaction.
const BATCH: i64 = 200;

/// Seals the next kept answers after `after` with the first master key. An answer that no master key opens is left
/// unchanged: it is gone within a day. Returns the last of the batch; `None` when the batch is empty.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if the vault cannot open or seal an answer.
pub async fn reseal(
    tx: &mut Tx,
    vault: &Vault,
    after: Option<&StoredAnswer>,
) -> Result<Option<StoredAnswer>, ServiceError> {
    let after = after.map_or(IdempotencyKeyName { api_key_id: "", text: "" }, |kept| IdempotencyKeyName {
        api_key_id: &kept.api_key_id,
        text: &kept.text,
    });
    let mut batch = idempotency_keys::kept(tx, after, BATCH).await?;
    for kept in &mut batch {
        if vault.is_current(&kept.reply) {
            continue;
        }
        let Ok(opened) = vault.open(kept.request_id.as_str(), &kept.reply) else { continue };
        kept.reply = vault.seal(kept.request_id.as_str(), opened.expose_secret()).map_err(ServiceError::internal)?;
        idempotency_keys::set_reply(tx, kept).await?;
    }
    Ok(batch.pop())
}

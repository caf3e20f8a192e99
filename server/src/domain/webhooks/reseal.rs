//! Replacing the master key that secrets are sealed with.

use std::collections::BTreeSet;

use l10n_api_types::WebhookId;
use secrecy::ExposeSecret as _;

use super::secret;
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::ids;
use crate::store::{Tx, webhooks};
use crate::vault::{KeyId, Vault, VaultError};

/// Webhooks of one transaction: short enough for a server that runs beside it.
const BATCH: i64 = 200;

/// The outcome of resealing a batch of webhooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Resealed {
    /// Webhooks whose secrets are sealed with the first master key now and were not before.
    pub resealed: u64,
    /// Webhooks that got a fresh secret, because none of the master keys opens theirs.
    pub replaced: Vec<WebhookId>,
    /// The last webhook of the batch; none when there was none left.
    pub last: Option<WebhookId>,
}

/// Seals the secrets of the next webhooks after `after` with the first master key. A secret that has ceased to sign is
/// forgotten. What no master key opens is an error, or, where `replace_lost`, gives way to a fresh secret that its owner
/// learns by rotating it.
///
/// # Errors
///
/// Returns an error if none of the master keys opens a secret and `replace_lost` is false; as the store.
pub(crate) async fn reseal(
    tx: &mut Tx,
    vault: &Vault,
    after: &str,
    now: Timestamp,
    replace_lost: bool,
) -> Result<Resealed, ServiceError> {
    let batch = webhooks::lock_secrets(tx, after, BATCH).await?;
    let mut done = Resealed { last: batch.last().map(|secrets| secrets.id.clone()), ..Resealed::default() };
    for mut secrets in batch {
        let expired = secrets.previous_secret_expires_at.is_some_and(|until| until <= now);
        let previous = secrets.previous_secret.take().filter(|_| !expired);
        if vault.is_current(&secrets.secret)
            && previous.as_deref().is_none_or(|previous| vault.is_current(previous))
            && !expired
        {
            continue;
        }
        let id = secrets.id.clone();
        match vault.open(id.as_str(), &secrets.secret) {
            Ok(opened) => {
                secrets.secret = seal(vault, &id, opened.expose_secret())?;
                done.resealed += 1;
            }
            Err(VaultError::UnknownKey(_) | VaultError::Damaged) if replace_lost => {
                let fresh = ids::new_webhook_secret();
                secrets.secret = seal(vault, &id, fresh.expose_secret())?;
                secrets.secret_hint = secret::hint(&fresh);
                done.replaced.push(id.clone());
            }
            Err(error) => return Err(ServiceError::internal(error)),
        }
        secrets.previous_secret = match previous.map(|previous| vault.open(id.as_str(), &previous)).transpose() {
            Ok(opened) => opened.map(|opened| seal(vault, &id, opened.expose_secret())).transpose()?,
            Err(_) if replace_lost => None,
            Err(error) => return Err(ServiceError::internal(error)),
        };
        if secrets.previous_secret.is_none() {
            secrets.previous_secret_expires_at = None;
        }
        webhooks::set_secrets(tx, &secrets).await?;
    }
    Ok(done)
}

/// Ids of the master keys that are needed at `now` and that the vault does not have.
pub(crate) async fn missing_keys(tx: &mut Tx, vault: &Vault, now: Timestamp) -> Result<BTreeSet<KeyId>, ServiceError> {
    let mut missing = BTreeSet::new();
    let mut after = String::new();
    loop {
        let batch = webhooks::secrets(tx, &after, BATCH).await?;
        let Some(last) = batch.last() else { return Ok(missing) };
        last.id.as_str().clone_into(&mut after);
        for secrets in &batch {
            let signs_too = secrets.previous_secret_expires_at.is_some_and(|until| until > now);
            let previous = secrets.previous_secret.as_ref().filter(|_| signs_too);
            let needed = [Some(&secrets.secret), previous].into_iter().flatten();
            missing.extend(needed.filter_map(|sealed| KeyId::of(sealed)).filter(|id| !vault.knows(*id)));
        }
    }
}

fn seal(vault: &Vault, webhook_id: &WebhookId, secret: &str) -> Result<Vec<u8>, ServiceError> {
    vault.seal(webhook_id.as_str(), secret).map_err(ServiceError::internal)
}

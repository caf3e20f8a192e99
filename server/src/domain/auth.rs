//! The scopes of a key, and its revocation.

use l10n_api_types::credential::Credential;

use super::{Caller, ServiceError};
use crate::clock::Timestamp;
use crate::store::{Tx, api_keys, operations};

/// The scopes that the key holds (`["admin"]` for a key that holds `admin`) and whether it needs approval (§2).
#[must_use]
pub(crate) fn credential(caller: &Caller) -> Credential {
    Credential { scopes: caller.scopes.clone(), requires_operation_approval: caller.needs_approval() }
}

/// Refuses a key from now on, and cancels what it has asked people to approve. Returns whether there was one to revoke.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn revoke(tx: &mut Tx, key_id: &str, now: Timestamp) -> Result<bool, ServiceError> {
    Ok(revoke_and_count(tx, key_id, now).await?.is_some())
}

/// Like [`revoke`]; returns how many requests for approval it canceled, where there was a key to revoke.
pub(super) async fn revoke_and_count(tx: &mut Tx, key_id: &str, now: Timestamp) -> Result<Option<u64>, ServiceError> {
    if !api_keys::revoke(tx, key_id, now).await? {
        return Ok(None);
    }
    Ok(Some(operations::cancel(tx, key_id, now).await?))
}

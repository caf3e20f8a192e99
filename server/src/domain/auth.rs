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
    let is_revoked = api_keys::revoke(tx, key_id, now).await?;
    if is_revoked {
        operations::cancel(tx, key_id, now).await?;
    }
    Ok(is_revoked)
}

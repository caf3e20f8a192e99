//! What a key says about itself.

use l10n_api_types::credential::Credential;

use super::Caller;

/// The scopes that the key holds (`["admin"]` for a key that holds `admin`) and whether it needs approval (§2).
#[must_use]
pub fn credential(caller: &Caller) -> Credential {
    Credential { scopes: caller.scopes.clone(), requires_operation_approval: caller.needs_approval() }
}

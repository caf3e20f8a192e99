//! What an agent's key may not do by itself (§5.7).

use l10n_api_types::OperationId;

use super::{Caller, ServiceError};

/// Lets a key pass that acts on its own; an agent's key needs an approved operation.
///
/// # Errors
///
/// [`ServiceError::AuthorizationRequired`], saying what is needed.
pub fn require(caller: &Caller, operation: Option<&OperationId>, work: &str) -> Result<(), ServiceError> {
    if !caller.needs_approval() {
        return Ok(());
    }
    Err(ServiceError::AuthorizationRequired(match operation {
        None => {
            format!("an agent's key needs a person's approval to {work}: ask for an operation and repeat with its id")
        }
        Some(id) => format!("operation `{}` is no approved operation of this key to {work}", id.as_str()),
    }))
}

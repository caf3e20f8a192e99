//! Deleting a webhook.

use super::{rows, unknown};
use crate::domain::{Caller, ServiceError};
use crate::store::Tx;

/// Deletes a webhook with its deliveries: planned ones stop.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub(crate) async fn delete(tx: &mut Tx, caller: &Caller, id: &str) -> Result<(), ServiceError> {
    if rows::delete(tx, caller.project.as_str(), id).await? { Ok(()) } else { Err(unknown()) }
}

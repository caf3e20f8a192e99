//! A person's decision on an operation.

use l10n_api_types::operations::Operation;

use crate::domain::ServiceError;
use crate::domain::operations::{self, DecideError, OperationDecision};
use crate::service::Service;

/// Decides an operation that is pending, in a transaction of its own.
///
/// # Errors
///
/// Returns an error if the operation is not pending, or the datastore fails; then nothing is decided.
pub async fn decide(service: &Service, id: &str, verdict: OperationDecision<'_>) -> Result<Operation, DecideError> {
    let mut tx = service.store.begin_write().await.map_err(ServiceError::from)?;
    let operation = operations::decide(&mut tx, service.decisions(), id, verdict).await?;
    tx.commit().await.map_err(ServiceError::from)?;
    Ok(operation)
}

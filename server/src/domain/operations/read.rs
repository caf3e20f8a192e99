//! Reading an operation, at once or when it is decided.

use std::pin::pin;
use std::time::Duration;

use l10n_api_types::OperationId;
use l10n_api_types::operations::{Operation, OperationStatus};

use super::entry;
use crate::clock::Clock;
use crate::config::Settings;
use crate::domain::long_poll::{PollDeadline, PollParts};
use crate::domain::{Caller, ServiceError, pages};
use crate::store::{Tx, operations as rows};

/// Reads an operation once it is pending no more, or after `longest`.
///
/// # Errors
///
/// 404 for an operation that is none of this project's.
pub(crate) async fn wait(
    parts: PollParts<'_>,
    clock: &dyn Clock,
    settings: &Settings,
    caller: &Caller,
    id: &OperationId,
    longest: Duration,
) -> Result<Operation, ServiceError> {
    let deadline = PollDeadline::new(parts.draining, longest);
    loop {
        let mut decided = pin!(parts.hint.notified());
        decided.as_mut().enable();
        let is_over = deadline.is_over();
        let mut tx = parts.store.begin_read().await?;
        let operation = read(&mut tx, clock, settings, caller, id).await?;
        tx.rollback().await?;
        if operation.status != OperationStatus::Pending || is_over {
            return Ok(operation);
        }
        deadline.look_again(decided).await;
    }
}

/// Reads an operation as it stands.
///
/// # Errors
///
/// 404 for an operation that is none of this project's.
pub(crate) async fn read(
    tx: &mut Tx,
    clock: &dyn Clock,
    settings: &Settings,
    caller: &Caller,
    id: &OperationId,
) -> Result<Operation, ServiceError> {
    let found = match pages::is_id(id.as_str()) {
        true => rows::find(tx, id.as_str()).await?,
        false => None,
    };
    let row = found
        .filter(|row| row.project_id == caller.project)
        .ok_or_else(|| ServiceError::NotFound("this project has no such operation".to_owned()))?;
    Ok(entry(settings, row, clock.now()))
}

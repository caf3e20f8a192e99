//! Reading a receipt.

use l10n_api_types::requests::{Receipt, ReceiptStatus, Resource};
use l10n_api_types::{ErrorBody, ErrorCode, RequestId};

use super::DEAD_AFTER;
use crate::clock::Timestamp;
use crate::domain::{Caller, ServiceError};
use crate::store::{Tx, requests};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Returns the outcome of a write of the caller's project. Receipts are kept for `kept_days` days, 0 for ever.
///
/// # Errors
///
/// 404 for an id that names no write of the project, or one that is older; as the store.
pub(crate) async fn read(
    tx: &mut Tx,
    caller: &Caller,
    id: &RequestId,
    kept_days: u32,
    now: Timestamp,
) -> Result<Receipt, ServiceError> {
    let found = requests::find(tx, &caller.project, id).await?;
    let is_kept = |at: Timestamp| kept_days == 0 || at.plus_millis(i64::from(kept_days) * DAY) > now;
    let row = found.filter(|row| is_kept(row.created_at)).ok_or_else(|| {
        ServiceError::NotFound(format!(
            "no write of this project is named `{id}`: it never arrived, was refused before it began, or is too long ago"
        ))
    })?;
    let died = row.created_at.plus_millis(DEAD_AFTER);
    let is_dead = row.status == ReceiptStatus::Running && died <= now;
    let given_up =
        || ErrorBody::new(ErrorCode::Internal, "the server ended before the request did: nothing was written");
    let is_without_answer = row.status == ReceiptStatus::Failed && row.error.is_none();
    Ok(Receipt {
        request_id: RequestId::new(row.id),
        kind: row.kind,
        status: if is_dead { ReceiptStatus::Failed } else { row.status },
        http_status: row.http_status.and_then(|status| u16::try_from(status).ok()),
        error: row.error.map(|error| error.0).or_else(|| (is_dead || is_without_answer).then(given_up)),
        resource: row.resource_kind.zip(row.resource_id).map(|(kind, id)| Resource { kind, id }),
        created_at: row.created_at,
        finished_at: row.finished_at.or_else(|| is_dead.then_some(died)),
    })
}

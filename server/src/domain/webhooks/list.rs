//! The webhooks of a project.

use l10n_api_types::webhooks::Webhooks;

use super::{entry, rows};
use crate::clock::Timestamp;
use crate::domain::{Caller, ServiceError};
use crate::store::Tx;

/// All of them, enabled or not, in the order of their registration.
pub(crate) async fn list(tx: &mut Tx, caller: &Caller, now: Timestamp) -> Result<Webhooks, ServiceError> {
    let webhooks = rows::list(tx, caller.project.as_str()).await?;
    Ok(Webhooks { webhooks: webhooks.into_iter().map(|row| entry(row, now)).collect() })
}

//! The permission of publishes and restores, of keys and of documents.

use l10n_api_types::{DailyBudget, OperationId};

use crate::clock::Timestamp;
use crate::config::Limits;
use crate::domain::approval::{self, GatedCall};
use crate::domain::{Caller, ServiceError, budgets};
use crate::store::{Store, Tx};

/// Takes the approval of a publish or a restore, and one of those that the day has.
///
/// # Errors
///
/// 403 for an agent's key without approval, 429 after the day's publishes or restores.
pub(in crate::domain) async fn allow(
    tx: &mut Tx,
    limits: &Limits,
    caller: &Caller,
    (work, operation): (GatedCall<'_>, Option<&OperationId>),
    budget: DailyBudget,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let approval = approval::require(tx, caller, operation, work, now).await?;
    approval.use_up(tx, &caller.request, now).await?;
    budgets::take(tx, &caller.project, budget, 1, limits, now).await?;
    Ok(())
}

/// Refuses early what [`allow`] would refuse for the operation that it names, so that nothing is rendered for it. The approval
/// is not used up.
///
/// # Errors
///
/// 403 for an operation that does not allow this work.
pub(in crate::domain) async fn look_for_approval(
    store: &Store,
    caller: &Caller,
    (work, operation): (GatedCall<'_>, Option<&OperationId>),
    now: Timestamp,
) -> Result<(), ServiceError> {
    if operation.is_some() {
        let mut tx = store.begin_write_in(&caller.workspace, &caller.project).await?;
        drop(approval::require(&mut tx, caller, operation, work, now).await?);
        tx.rollback().await?;
    }
    Ok(())
}

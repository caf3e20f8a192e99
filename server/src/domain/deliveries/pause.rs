//! Deliveries of a webhook that is disabled and enabled again. The statements change all of them as `step` changes one
//! at `Paused` and `Resumed`; a test compares them.

use std::sync::Arc;

use l10n_api_types::{ProjectId, WebhookId};

use super::super::ServiceError;
use crate::clock::Timestamp;
use crate::deliveries_due::DeliveriesDue;
use crate::store::{Tx, deliveries};

/// A webhook is disabled: its planned attempts wait, those in flight come to their end, resends are made.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn pause(tx: &mut Tx, webhook_id: &WebhookId) -> Result<(), ServiceError> {
    deliveries::pause(tx, webhook_id).await?;
    Ok(())
}

/// A webhook of a project is enabled again: its planned attempts go on at their time, or now when that is over.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn resume(
    tx: &mut Tx,
    due: &Arc<DeliveriesDue>,
    project: &ProjectId,
    webhook_id: &WebhookId,
    now: Timestamp,
) -> Result<(), ServiceError> {
    deliveries::resume(tx, webhook_id, now).await?;
    due.of_project_after(tx, project);
    Ok(())
}

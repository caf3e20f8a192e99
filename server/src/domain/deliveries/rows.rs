//! Converts the state of a delivery from rows and back.

use l10n_api_types::WebhookId;

use super::step::{DeliverySnapshot, DeliveryState, WebhookSnapshot};
use crate::store::deliveries::{DeliveryLogEntry, DeliveryUpdate};
use crate::store::due::DueDelivery;

/// From the fields of the same names.
macro_rules! from_row {
    ($row:ty) => {
        impl From<&$row> for DeliverySnapshot {
            fn from(row: &$row) -> Self {
                Self {
                    status: row.status,
                    ended: row.ended,
                    attempts: row.attempts,
                    failures: row.failures,
                    planned_at: row.planned_at,
                    resend: row.resend,
                    due_at: row.due_at,
                    fence: row.fence,
                }
            }
        }
    };
}
from_row!(DueDelivery);
from_row!(DeliveryLogEntry);

impl From<&DueDelivery> for DeliveryState {
    fn from(due: &DueDelivery) -> Self {
        Self {
            delivery: due.into(),
            webhook: WebhookSnapshot { enabled: due.enabled, failures: due.consecutive_failures },
        }
    }
}

impl DeliverySnapshot {
    /// The row to write in place of one that was at the attempt `former_fence`.
    pub(super) fn written<'a>(&self, webhook_id: &'a WebhookId, id: &'a str, former_fence: i64) -> DeliveryUpdate<'a> {
        DeliveryUpdate {
            webhook_id,
            id,
            former_fence,
            status: self.status,
            ended: self.ended,
            attempts: self.attempts,
            failures: self.failures,
            planned_at: self.planned_at,
            resend: self.resend,
            due_at: self.due_at,
            fence: self.fence,
        }
    }
}

//! An entry of the delivery log (§2).

use serde::{Deserialize, Serialize};

use crate::events::EventType;
use crate::{DeliveryId, EventId, PublishId, Timestamp};

string_enum! {
    /// Where a delivery stands (§3).
    DeliveryStatus {
        /// An attempt is to come, or would be if the webhook were enabled.
        Pending = "pending",
        /// An attempt is in flight.
        Delivering = "delivering",
        /// The endpoint answered 2xx.
        Delivered = "delivered",
        /// Every attempt failed.
        Failed = "failed",
    }
}

string_enum! {
    /// What kind of failure an attempt met.
    DeliveryErrorKind {
        /// The host does not resolve.
        Dns = "dns",
        /// The host resolves to an address that is not public; nothing was connected.
        BlockedAddress = "blocked_address",
        /// No connection, TLS included, within 5 seconds.
        ConnectTimeout = "connect_timeout",
        /// TLS failed: a certificate that is not trusted, expired, or of another host.
        Tls = "tls",
        /// No answer within 10 seconds.
        ResponseTimeout = "response_timeout",
        /// The answer was a redirect, which is not followed.
        Redirect = "redirect",
        /// The answer was another status than 2xx.
        Status = "status",
        /// The connection was refused or broke.
        Network = "network",
    }
}

/// One event on its way to one webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Its id; a resend keeps it.
    pub delivery_id: DeliveryId,
    /// The event's id, the same for every webhook.
    pub event_id: EventId,
    /// What happened.
    pub event_type: EventType,
    /// The publish, restore or rollback that fired the event.
    pub publish_id: PublishId,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// Attempts that were made and have ended.
    pub attempts: u32,
    /// When the next attempt is due; null when none is planned.
    pub next_attempt_at: Option<Timestamp>,
    /// HTTP status of the last attempt; null when it got none.
    pub last_status_code: Option<u16>,
    /// What the last attempt met and what to do, for people; null after success.
    pub last_error: Option<String>,
    /// The same, to branch on.
    pub last_error_kind: Option<DeliveryErrorKind>,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When the last attempt began.
    pub last_attempt_at: Option<Timestamp>,
    /// How long the last attempt took, in milliseconds.
    pub last_duration_ms: Option<u64>,
}

//! An entry of the delivery log (§2).

use serde::{Deserialize, Serialize};

use crate::events::EventType;
use crate::{DeliveryId, EventId, PublishId, Timestamp};

string_enum! {
    /// The status of a delivery (§3).
    DeliveryStatus {
        /// The next attempt is planned, or would be if the webhook were enabled.
        Pending = "pending",
        /// An attempt is in flight.
        Delivering = "delivering",
        /// The endpoint answered 2xx.
        Delivered = "delivered",
        /// Every attempt failed.
        Failed = "failed",
        ..Unknown
    }
}

string_enum! {
    /// The kind of failure of an attempt.
    DeliveryErrorKind {
        /// The host does not resolve.
        Dns = "dns",
        /// The host resolves to an address that is not public; nothing was connected.
        BlockedAddress = "blocked_address",
        /// No connection, including TLS, within 5 seconds.
        ConnectTimeout = "connect_timeout",
        /// TLS failed: the certificate is not trusted, has expired, or is for another host.
        Tls = "tls",
        /// No answer within 10 seconds.
        ResponseTimeout = "response_timeout",
        /// The answer was a redirect, which is not followed.
        Redirect = "redirect",
        /// The answer had a status other than 2xx.
        Status = "status",
        /// The connection was refused or broke.
        Network = "network",
        ..Unknown
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
    /// The event's type.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub event_type: EventType,
    /// The publish, restore or rollback that fired the event.
    pub publish_id: PublishId,
    /// The delivery's status.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub status: DeliveryStatus,
    /// Number of finished attempts.
    pub attempts: u32,
    /// The time of the next attempt; null when none is planned.
    pub next_attempt_at: Option<Timestamp>,
    /// HTTP status of the last attempt; null when it got none.
    pub last_status_code: Option<u16>,
    /// The last attempt's failure and its remedy, for people; null after success.
    pub last_error: Option<String>,
    /// The kind of the failure, to branch on.
    #[serde(default, deserialize_with = "crate::later_name::maybe")]
    pub last_error_kind: Option<DeliveryErrorKind>,
    /// The time of the event.
    pub created_at: Timestamp,
    /// The time at which the last attempt began.
    pub last_attempt_at: Option<Timestamp>,
    /// Duration of the last attempt, in milliseconds.
    pub last_duration_ms: Option<u64>,
}

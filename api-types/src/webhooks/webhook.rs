//! A webhook as later reads show it (§2).

use serde::{Deserialize, Serialize};

use crate::events::EventType;
use crate::{ProjectId, Timestamp, WebhookId};

/// Path of a route that belongs to a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct WebhookPath {
    /// The project, by its id.
    pub project_id: ProjectId,
    /// The webhook, by its id.
    pub webhook_id: WebhookId,
}

string_enum! {
    /// The reason why the service disabled a webhook (§3).
    DisabledReason {
        /// Three deliveries in a row ended as `failed`.
        AutoFailures = "auto_failures",
        ..Unknown
    }
}

/// A webhook, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its id.
    pub webhook_id: WebhookId,
    /// The address, as it was registered.
    pub url: String,
    /// The events that are delivered to it.
    #[serde(deserialize_with = "crate::later_name::many")]
    pub events: Vec<EventType>,
    /// True if events are delivered to it.
    pub enabled: bool,
    /// The last four characters of its secret.
    pub secret_hint: String,
    /// The reason why the service disabled it; null if it did not.
    #[serde(default, deserialize_with = "crate::later_name::maybe")]
    pub disabled_reason: Option<DisabledReason>,
    /// Deliveries in a row that ended as `failed`; three disable the webhook.
    pub consecutive_failures: u32,
    /// End of the time in which deliveries are also signed with the previous secret; null if there is none.
    pub previous_secret_expires_at: Option<Timestamp>,
    /// The time of its registration.
    pub created_at: Timestamp,
}

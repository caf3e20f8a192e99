//! The envelope around the data of every event (§6).

use serde::{Deserialize, Serialize};

use super::EventType;
use crate::{EventId, ProjectId, Timestamp};

/// Version of the envelopes' shape (§9).
pub const SCHEMA_VERSION: u32 = 1;

/// An event with its data. Its bytes are made once and are the same for every webhook and at every attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Envelope<D> {
    /// Its id, `evt_…`: the same for every webhook, retry and resend.
    pub id: EventId,
    /// The event's type.
    #[serde(rename = "type")]
    #[serde(deserialize_with = "crate::later_name::one")]
    pub event_type: EventType,
    /// Version of this shape: 1 (§9).
    pub schema_version: u32,
    /// The time of the event.
    pub created_at: Timestamp,
    /// The project of the event.
    pub project: EventProject,
    /// The event's data.
    pub data: D,
}

/// The project of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EventProject {
    /// Its id.
    pub id: ProjectId,
    /// The handle of its workspace.
    pub handle: String,
    /// Its slug.
    pub slug: String,
}

//! The envelope around the data of every event (§6).

use std::string::String;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use thiserror::Error;

use super::{ContentPublished, StringsPublished};

/// An event. Its bytes are the same for every webhook and at every attempt.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Its id, `evt_…`: the same for every webhook, retry and resend. Deduplicate by it and the webhook's id.
    pub id: String,
    /// The event's type: `strings.published`, `content.published` or a type of a later version.
    pub event_type: String,
    /// Version of the envelope's shape.
    pub schema_version: u32,
    /// The time of the event: ISO 8601 in UTC with milliseconds.
    pub created_at: String,
    /// The project of the event.
    pub project: Project,
    /// The event's data.
    pub data: EventData,
}

/// The project of an event.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Project {
    /// Its id, `prj_…`.
    pub id: String,
    /// The handle of its workspace.
    pub handle: String,
    /// Its slug.
    pub slug: String,
}

/// The data of an event, by its type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EventData {
    /// `strings.published`: a version of the project's keys was published or restored.
    StringsPublished(StringsPublished),
    /// `content.published`: a publish moved at least one document, or a document was rolled back.
    ContentPublished(ContentPublished),
    /// The unchanged data of an event whose type or schema version this crate does not know.
    Other(Value),
}

/// The reason why verified bytes are not an event.
#[derive(Debug, Error)]
#[error("the body is not an event: {0}")]
pub struct EventError(serde_json::Error);

impl Event {
    /// Reads the body of a delivery. Verify it first.
    ///
    /// # Errors
    ///
    /// [`EventError`] if it is not JSON or lacks a field that §6 requires.
    pub fn parse(body: impl AsRef<[u8]>) -> Result<Self, EventError> {
        serde_json::from_slice(body.as_ref()).map_err(EventError)
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Envelope {
            id: String,
            #[serde(rename = "type")]
            event_type: String,
            schema_version: u32,
            created_at: String,
            project: Project,
            data: Value,
        }

        let Envelope { id, event_type, schema_version, created_at, project, data } =
            Envelope::deserialize(deserializer)?;
        let data = match (event_type.as_str(), schema_version) {
            ("strings.published", 1) => serde_json::from_value(data).map(EventData::StringsPublished),
            ("content.published", 1) => serde_json::from_value(data).map(EventData::ContentPublished),
            _ => Ok(EventData::Other(data)),
        };
        let data = data.map_err(|error| serde::de::Error::custom(format_args!("data of `{event_type}`: {error}")))?;
        Ok(Self { id, event_type, schema_version, created_at, project, data })
    }
}

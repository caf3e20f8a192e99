//! What every event has around its data (§6).

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
    /// What happened, as it is written: `strings.published`, `content.published` or what later versions bring.
    pub event_type: String,
    /// Version of the envelope's shape.
    pub schema_version: u32,
    /// When it happened: ISO 8601 in UTC with milliseconds.
    pub created_at: String,
    /// Where it happened.
    pub project: Project,
    /// What it was about.
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

/// What an event is about, by its type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EventData {
    /// `strings.published`: a version of the project's keys was published or restored.
    StringsPublished(StringsPublished),
    /// `content.published`: a publish moved at least one document, or a document was rolled back.
    ContentPublished(ContentPublished),
    /// Of a type or schema version that this crate does not know; the data as it is.
    Other(Value),
}

/// Why verified bytes are no event.
#[derive(Debug, Error)]
#[error("the body is no event: {0}")]
pub struct EventError(#[from] serde_json::Error);

impl Event {
    /// Reads the body of a delivery. Verify it first.
    ///
    /// # Errors
    ///
    /// [`EventError`], when it is no JSON, or lacks what §6 says is there.
    pub fn parse(body: impl AsRef<[u8]>) -> Result<Self, EventError> {
        Ok(serde_json::from_slice(body.as_ref())?)
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

//! Events as they are sent to webhooks (§6). Receivers read them with `l10n-webhook-verify`, which tolerates what later
//! versions add.

mod content_published;
mod envelope;
mod strings_published;

pub use content_published::{ContentPublished, ContentSummary, DocumentAction, PublishedDocument};
pub use envelope::{Envelope, EventProject, SCHEMA_VERSION};
pub use strings_published::StringsPublished;

string_enum! {
    /// The type of an event (§6).
    EventType {
        /// A version of the project's keys was published or restored.
        StringsPublished = "strings.published",
        /// A publish of documents published at least one, or a document was rolled back.
        ContentPublished = "content.published",
        ..Unknown
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::publish::VersionLanguage;
    use crate::{EventId, ProjectId, Timestamp, VersionId};

    /// ENV-1 to ENV-9: the envelope has exactly the fields of §6, in their types.
    #[test]
    fn an_envelope_travels_as_the_specification_says() {
        let envelope = Envelope {
            id: EventId::from("evt_1"),
            event_type: EventType::StringsPublished,
            schema_version: SCHEMA_VERSION,
            created_at: Timestamp::from_millis(1_800_000_000_000),
            project: EventProject { id: ProjectId::from("prj_1"), handle: "acme".into(), slug: "app".into() },
            data: StringsPublished {
                version_id: VersionId::from("ver_1"),
                label: "v1".into(),
                key_count: 3,
                languages: vec![VersionLanguage { code: "en".into(), is_base: true }],
            },
        };
        let expected = json!({
            "id": "evt_1",
            "type": "strings.published",
            "schemaVersion": 1,
            "createdAt": "2027-01-15T08:00:00.000Z",
            "project": {"id": "prj_1", "handle": "acme", "slug": "app"},
            "data": {
                "versionId": "ver_1",
                "label": "v1",
                "keyCount": 3,
                "languages": [{"code": "en", "isBase": true}],
            },
        });
        assert_eq!(serde_json::to_value(&envelope).unwrap(), expected);
    }

    /// CP-5: a document without a name of the caller's own has no such field.
    #[test]
    fn a_missing_external_id_is_left_out() {
        let document = PublishedDocument {
            doc_id: "doc_1".into(),
            action: DocumentAction::Published,
            version_id: "cvr_1".into(),
            external_id: None,
        };
        let expected = json!({"docId": "doc_1", "action": "published", "versionId": "cvr_1"});
        assert_eq!(serde_json::to_value(&document).unwrap(), expected);
    }
}

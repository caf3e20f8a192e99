//! The events that the API declares are those that receivers read: each side has its own types.

#![expect(clippy::panic, reason = "a test fails by panicking")]

use l10n_api_types::Timestamp;
use l10n_api_types::events::{
    ContentPublished, ContentSummary, DocumentAction, Envelope, EventProject, EventType, PublishedDocument,
    SCHEMA_VERSION, StringsPublished,
};
use l10n_api_types::publish::VersionLanguage;
use l10n_webhook_verify::events::{Action, Event, EventData};
use serde::Serialize;

fn sent(event_type: EventType, data: impl Serialize) -> Event {
    let project = EventProject { id: "prj_1".into(), handle: "acme".into(), slug: "app".into() };
    let created_at = Timestamp::from_millis(1_800_000_000_000);
    let envelope =
        Envelope { id: "evt_1".into(), event_type, schema_version: SCHEMA_VERSION, created_at, project, data };
    let body = serde_json::to_vec(&envelope).unwrap_or_else(|error| panic!("{error}"));
    Event::parse(body).unwrap_or_else(|error| panic!("{error}"))
}

/// ENV-1 to ENV-9.
#[test]
fn published_strings_arrive_as_they_were_sent() {
    let languages = vec![VersionLanguage { code: "en".into(), is_base: true }];
    let data = StringsPublished { version_id: "ver_1".into(), label: "first".into(), key_count: 3, languages };
    let event = sent(EventType::StringsPublished, data);
    assert_eq!((event.id.as_str(), event.event_type.as_str()), ("evt_1", "strings.published"));
    assert_eq!((event.created_at.as_str(), event.project.slug.as_str()), ("2027-01-15T08:00:00.000Z", "app"));
    let EventData::StringsPublished(data) = event.data else { panic!("another kind of data") };
    assert_eq!((data.version_id.as_str(), data.label.as_str(), data.key_count), ("ver_1", "first", 3));
    assert_eq!((data.languages[0].code.as_str(), data.languages[0].is_base), ("en", true));
}

/// Every action that is declared has a name on the receiving side.
#[test]
fn published_content_arrives_as_it_was_sent() {
    let actions = [
        (DocumentAction::Published, Action::Published),
        (DocumentAction::Held, Action::Held),
        (DocumentAction::Unchanged, Action::Unchanged),
        (DocumentAction::Skipped, Action::Skipped),
    ];
    let documents = actions.iter().map(|(action, _)| PublishedDocument {
        doc_id: "doc_1".into(),
        action: *action,
        version_id: "cvr_1".into(),
        external_id: None,
    });
    let data = ContentPublished {
        publish_id: "pub_1".into(),
        summary: ContentSummary { docs_published: 1, docs_too_large: 2, ..ContentSummary::default() },
        documents: documents.collect(),
        truncated: true,
    };
    let EventData::ContentPublished(data) = sent(EventType::ContentPublished, data).data else {
        panic!("another kind of data")
    };
    assert_eq!((data.publish_id.as_str(), data.truncated), ("pub_1", true));
    assert_eq!((data.summary.docs_published, data.summary.docs_too_large), (1, 2));
    for (document, (_, action)) in data.documents.iter().zip(&actions) {
        assert_eq!((&document.action, &document.external_id), (action, &None));
    }
    assert_eq!(data.documents.len(), actions.len());
}

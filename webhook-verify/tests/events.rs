//! Events of this and later versions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use l10n_webhook_verify::events::{Action, Event, EventData};
use serde_json::{Value, json};

fn envelope(event_type: &str, data: Value) -> Value {
    json!({
        "id": "evt_1",
        "type": event_type,
        "schemaVersion": 1,
        "createdAt": "2027-01-15T08:00:00.000Z",
        "project": {"id": "prj_1", "handle": "acme", "slug": "app"},
        "data": data,
    })
}

fn strings() -> Value {
    let languages = json!([{"code": "en", "isBase": true}, {"code": "de", "isBase": false}]);
    envelope(
        "strings.published",
        json!({"versionId": "ver_1", "label": "Grüße 😀", "keyCount": 3, "languages": languages}),
    )
}

fn content() -> Value {
    let summary = json!({"docsPublished": 1, "docsHeld": 2, "docsUnchanged": 3, "docsSkipped": 4, "docsTooLarge": 5});
    let documents = json!([
        {"docId": "doc_1", "action": "published", "versionId": "cvr_1", "externalId": "home"},
        {"docId": "doc_2", "action": "held", "versionId": "cvr_2"},
    ]);
    envelope(
        "content.published",
        json!({"publishId": "pub_1", "summary": summary, "documents": documents, "truncated": false}),
    )
}

fn parse(event: &Value) -> Event {
    Event::parse(event.to_string()).unwrap()
}

#[test]
fn published_strings_are_read() {
    let event = parse(&strings());
    assert_eq!((event.id.as_str(), event.event_type.as_str(), event.schema_version), ("evt_1", "strings.published", 1));
    assert_eq!(event.created_at, "2027-01-15T08:00:00.000Z");
    assert_eq!((event.project.id.as_str(), event.project.handle.as_str()), ("prj_1", "acme"));
    assert_eq!(event.project.slug, "app");
    let EventData::StringsPublished(data) = event.data else { panic!("{:?}", event.data) };
    assert_eq!((data.version_id.as_str(), data.label.as_str(), data.key_count), ("ver_1", "Grüße 😀", 3));
    let languages: Vec<_> = data.languages.iter().map(|language| (language.code.as_str(), language.is_base)).collect();
    assert_eq!(languages, [("en", true), ("de", false)]);
}

#[test]
fn published_content_is_read() {
    let EventData::ContentPublished(data) = parse(&content()).data else { panic!("another kind of data") };
    assert_eq!((data.publish_id.as_str(), data.truncated), ("pub_1", false));
    let counts = data.summary;
    assert_eq!((counts.docs_published, counts.docs_held, counts.docs_unchanged), (1, 2, 3));
    assert_eq!((counts.docs_skipped, counts.docs_too_large), (4, 5));
    assert_eq!((data.documents[0].doc_id.as_str(), &data.documents[0].action), ("doc_1", &Action::Published));
    assert_eq!(data.documents[0].external_id.as_deref(), Some("home"));
    assert_eq!((data.documents[1].version_id.as_str(), &data.documents[1].action), ("cvr_2", &Action::Held));
    assert_eq!(data.documents[1].external_id, None);
}

/// Adds a field to every object below.
fn with_more_fields(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(with_more_fields),
        Value::Object(fields) => {
            fields.values_mut().for_each(with_more_fields);
            fields.insert("ofALaterVersion".into(), json!({"nested": [1, null]}));
        }
        _ => {}
    }
}

/// ENV-12.
#[test]
fn unknown_fields_change_nothing() {
    for event in [strings(), content()] {
        let mut later = event.clone();
        with_more_fields(&mut later);
        assert_ne!(later, event);
        assert_eq!(parse(&later), parse(&event));
    }
}

/// ENV-12.
#[test]
fn unknown_types_schema_versions_and_actions_are_kept_as_they_are() {
    let event = parse(&envelope("glossary.published", json!({"glossaryId": 7})));
    assert_eq!(event.event_type, "glossary.published");
    assert_eq!(event.data, EventData::Other(json!({"glossaryId": 7})));

    let mut later = strings();
    later["schemaVersion"] = json!(2);
    later["data"] = json!({"version": {"id": "ver_1"}});
    assert_eq!(parse(&later).data, EventData::Other(json!({"version": {"id": "ver_1"}})));

    let mut later = content();
    later["data"]["documents"][0]["action"] = json!("archived");
    let EventData::ContentPublished(data) = parse(&later).data else { panic!("another kind of data") };
    assert_eq!(data.documents[0].action, Action::Other("archived".into()));
}

/// ENV-2 to ENV-9, from the receiver's side.
#[test]
fn what_lacks_a_field_is_no_event_and_the_error_names_it() {
    for field in ["id", "type", "schemaVersion", "createdAt", "project", "data"] {
        let mut event = strings();
        event.as_object_mut().unwrap().remove(field);
        let said = Event::parse(event.to_string()).unwrap_err().to_string();
        assert!(said.contains(&format!("`{field}`")), "{said}");
    }
    let mut event = strings();
    event["data"].as_object_mut().unwrap().remove("keyCount");
    let said = Event::parse(event.to_string()).unwrap_err().to_string();
    assert!(said.contains("strings.published") && said.contains("keyCount"), "{said}");
    for text in ["", "[]", "null", "{}", "{", "{} {}"] {
        assert!(Event::parse(text).is_err(), "{text}");
    }
}

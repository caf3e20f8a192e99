//! Registering and listing.

use std::collections::HashSet;

use http::Method;
use l10n_api_types::events::EventType;
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::webhooks::support::{URL, create, create_in, created, list, listed, patch, post, registration, unchanged};

both_engines!(
    a_registration_answers_with_the_webhook_and_its_secret,
    what_is_registered_is_what_is_listed,
    url_and_events_are_needed,
    events_are_a_set_of_known_names,
    every_webhook_of_the_project_is_listed_and_no_other,
    the_preview_flag_and_unknown_fields_are_not_looked_at,
);

/// WH-CR-1, WH-F-1, WH-F-4, WH-F-5, WH-F-10, AMB-16
async fn a_registration_answers_with_the_webhook_and_its_secret(store: TestStore) {
    let app = TestApp::on(&store).await;
    let answer = post(&app, &registration()).await;
    let body = answer.json();
    let names: Vec<_> = body.as_object().unwrap().keys().collect();
    assert_eq!(names, ["createdAt", "enabled", "events", "secret", "url", "webhookId"]);
    let webhook = created(&answer);
    assert!(webhook.webhook_id.as_str().starts_with("whk_"));
    assert_eq!((webhook.url.as_str(), webhook.enabled), (URL, true));
    assert_eq!(webhook.events, [EventType::StringsPublished]);
    assert_eq!(body["createdAt"], "2026-11-21T08:00:00.000Z");

    let again = create(&app).await;
    assert_ne!(again.webhook_id, webhook.webhook_id, "one URL may be registered twice");
    let secrets = [&webhook.secret, &again.secret].map(|secret| secret.strip_prefix("whsec_").unwrap());
    for secret in secrets {
        assert!(secret.len() == 43 && secret.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    }
    let parts = |secret: &str| -> HashSet<Vec<u8>> { secret.as_bytes().windows(7).map(<[u8]>::to_vec).collect() };
    assert!(parts(secrets[0]).is_disjoint(&parts(secrets[1])), "two secrets have something in common");
}

/// WH-F-2, WH-F-3, WH-F-4, WH-F-7, WH-F-8: a URL comes back letter by letter.
async fn what_is_registered_is_what_is_listed(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (url, events) in [
        ("https://93.184.216.34", vec!["content.published"]),
        ("HTTPS://93.184.216.34:8443/Hooks/%7Ea/../B?Token=x&y=%20#".trim_end_matches('#'), vec!["strings.published"]),
        ("https://93.184.216.34:443/ü?q=ö", vec!["content.published", "strings.published"]),
        ("https://[2606:2800:220:1:248:1893:25c8:1946]/", vec!["strings.published", "content.published"]),
    ] {
        let webhook = created(&post(&app, &json!({"url": url, "events": events})).await);
        assert_eq!((webhook.url.as_str(), json!(webhook.events)), (url, json!(events)));
        let listed = listed(&app, &webhook).await;
        assert_eq!((listed.url.as_str(), json!(listed.events), listed.enabled), (url, json!(events), true));
        assert_eq!(listed.secret_hint, webhook.secret[webhook.secret.len() - 4..]);
        assert_eq!((listed.disabled_reason, listed.consecutive_failures), (None, 0));
        assert_eq!((listed.previous_secret_expires_at, listed.created_at), (None, webhook.created_at));
    }
}

/// WH-CR-2, WH-CR-3, WH-CR-6
async fn url_and_events_are_needed(store: TestStore) {
    let app = TestApp::on(&store).await;
    create(&app).await;
    let before = list(&app).await;
    let with = |field: &str, value: Option<Value>| {
        let mut body = registration();
        match value {
            Some(value) => body[field] = value,
            None => drop(body.as_object_mut().unwrap().remove(field)),
        }
        body
    };
    let urls =
        [None, Some(Value::Null), Some(json!("")), Some(json!(5)), Some(json!([URL])), Some(json!({"url": URL}))];
    let events = [
        None,
        Some(Value::Null),
        Some(json!("strings.published")),
        Some(json!({"0": "strings.published"})),
        Some(json!(true)),
        Some(json!([null])),
    ];
    let bodies = urls.into_iter().map(|value| ("url", with("url", value)));
    for (field, body) in bodies.chain(events.into_iter().map(|value| ("events", with("events", value)))) {
        let answer = post(&app, &body).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{body}");
        assert!(answer.error().message.contains(&format!("`{field}")), "{body}: {}", answer.error().message);
    }
    unchanged(&app, &before).await;
    create(&app).await;
}

/// WH-CR-4, WH-CR-5, AMB-15
async fn events_are_a_set_of_known_names(store: TestStore) {
    let app = TestApp::on(&store).await;
    for events in [
        json!([]),
        json!(["strings.published", "x.y"]),
        json!(["Strings.Published"]),
        json!(["strings.published "]),
        json!(["strings_published"]),
        json!(["*"]),
        json!([""]),
    ] {
        let answer = post(&app, &json!({"url": URL, "events": events})).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{events}");
        let message = answer.error().message;
        assert!(message.contains("strings.published, content.published"), "{message}");
    }
    unchanged(&app, &[]).await;
    let twice = json!(["content.published", "strings.published", "content.published"]);
    let webhook = created(&post(&app, &json!({"url": URL, "events": twice})).await);
    assert_eq!(webhook.events, [EventType::ContentPublished, EventType::StringsPublished]);
    assert_eq!(listed(&app, &webhook).await.events, webhook.events);
}

/// WH-LS-1, WH-LS-2, AMB-18
async fn every_webhook_of_the_project_is_listed_and_no_other(store: TestStore) {
    let app = TestApp::on(&store).await;
    assert_eq!(app.get("/webhooks").send().await.json(), json!({"webhooks": []}));
    let other = app.other_project("unlimited").await;
    let theirs = create_in(&app, &other).await;
    let (first, second) = (create(&app).await, create(&app).await);
    assert_eq!(patch(&app, &first, &json!({"enabled": false})).await.status, 200);
    let found = list(&app).await;
    let ids: Vec<_> = found.iter().map(|webhook| &webhook.webhook_id).collect();
    assert_eq!(ids, [&first.webhook_id, &second.webhook_id]);
    assert_eq!([found[0].enabled, found[1].enabled], [false, true]);
    let answer = crate::webhooks::support::in_project(&app, &other, Method::GET, "/webhooks").send().await;
    assert_eq!(answer.json()["webhooks"][0]["webhookId"], json!(theirs.webhook_id));
    assert_eq!(answer.json()["webhooks"].as_array().unwrap().len(), 1);
}

/// DRY-6, AMB-19: it is registered for real, whatever else stands in the request.
async fn the_preview_flag_and_unknown_fields_are_not_looked_at(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (query, more) in [
        ("?dryRun=true", json!({})),
        ("?dry_run=1&x=y", json!({"dryRun": true})),
        ("", json!({"dryRun": "yes", "secret": "whsec_mine", "enabled": false})),
    ] {
        let mut body = registration();
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let webhook = created(&app.post(&format!("/webhooks{query}")).json(&body).send().await);
        assert!(webhook.enabled && webhook.secret != "whsec_mine");
        assert_eq!(listed(&app, &webhook).await.url, URL);
    }
    assert_eq!(list(&app).await.len(), 3);
}

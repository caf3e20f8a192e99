//! Changing a webhook.

use http::Method;
use l10n_api_types::webhooks::{DisabledReason, Webhook};
use l10n_server::both_engines;
use l10n_server::store::webhooks;
use l10n_server::testing::{TestApp, TestStore};
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::webhooks::support::{URL, create, list, listed, patch, row, unchanged};

const ELSEWHERE: &str = "https://1.1.1.1/elsewhere?a=B";

both_engines!(
    one_field_is_changed_and_the_others_stay,
    a_change_of_nothing_is_malformed,
    wrong_types_and_null_change_nothing,
    a_change_is_made_whole_or_not_at_all,
    a_change_keeps_the_secret,
    enabling_forgives_failures,
    disabling_by_hand_gives_no_reason,
    two_changes_at_once_are_both_made,
);

/// WH-PA-1: one after the other and all at once.
async fn one_field_is_changed_and_the_others_stay(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (webhook, bystander) = (create(&app).await, create(&app).await);
    let mut expected = listed(&app, &webhook).await;
    let untouched = listed(&app, &bystander).await;
    for change in [
        json!({"url": ELSEWHERE}),
        json!({"events": ["content.published", "content.published"]}),
        json!({"enabled": false}),
        json!({"url": URL, "events": ["strings.published"], "enabled": true, "unknown": [1]}),
    ] {
        if let Some(url) = change["url"].as_str() {
            expected.url = url.to_owned();
        }
        if let Some(event) = change["events"].get(0) {
            expected.events = vec![event.as_str().unwrap().parse().unwrap()];
        }
        if let Some(enabled) = change["enabled"].as_bool() {
            expected.enabled = enabled;
        }
        let answer = patch(&app, &webhook, &change).await;
        assert_eq!((answer.status, answer.read::<Webhook>()), (200, expected.clone()), "{change}");
        assert_eq!(listed(&app, &webhook).await, expected);
    }
    assert_eq!(row(&app, &webhook).await.host, "93.184.216.34", "slots go by the host of the present URL");
    patch(&app, &webhook, &json!({"url": ELSEWHERE})).await;
    assert_eq!(row(&app, &webhook).await.host, "1.1.1.1");
    assert_eq!(listed(&app, &bystander).await, untouched);
}

/// WH-PA-2, §4 rule 4
async fn a_change_of_nothing_is_malformed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let before = list(&app).await;
    for body in ["{}", "{\"foo\":1}", "{\"secret\":\"whsec_x\"}", "{\"Url\":\"https://1.1.1.1/\"}", "", " "] {
        let path = format!("/webhooks/{}", webhook.webhook_id);
        let answer = app.call(Method::PATCH, &path).body(body).header("content-type", "application/json").send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{body}");
    }
    let answer = patch(&app, &webhook, &json!({"secretHint": "abcd"})).await;
    assert!(answer.error().message.contains("at least one of `url`, `events` and `enabled`"));
    unchanged(&app, &before).await;
}

/// WH-PA-3: nothing is taken for something else, and `null` is no way to leave a field out.
async fn wrong_types_and_null_change_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let before = list(&app).await;
    for body in [
        json!({"enabled": "true"}),
        json!({"enabled": 1}),
        json!({"enabled": null}),
        json!({"enabled": null, "url": ELSEWHERE}),
        json!({"url": null, "enabled": false}),
        json!({"events": null, "enabled": false}),
        json!({"events": "strings.published"}),
        json!({"events": []}),
        json!({"events": ["strings.published", null]}),
        json!({"events": ["x.y"], "enabled": false}),
        json!({"url": 5}),
        json!({"url": [ELSEWHERE]}),
        json!([ELSEWHERE, ["content.published"], false]),
    ] {
        assert_eq!(patch(&app, &webhook, &body).await.outcome(), "400 invalid_argument", "{body}");
    }
    unchanged(&app, &before).await;
}

/// WH-PA-5
async fn a_change_is_made_whole_or_not_at_all(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let before = list(&app).await;
    for body in [
        json!({"enabled": false, "url": "http://1.1.1.1/"}),
        json!({"enabled": false, "events": ["content.published"], "url": "https://10.0.0.1/"}),
        json!({"url": ELSEWHERE, "events": []}),
    ] {
        assert_eq!(patch(&app, &webhook, &body).await.outcome(), "400 invalid_argument", "{body}");
        unchanged(&app, &before).await;
    }
}

/// WH-PA-6
async fn a_change_keeps_the_secret(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    for body in [
        json!({"url": ELSEWHERE}),
        json!({"enabled": false, "secret": "whsec_mine"}),
        json!({"enabled": true, "events": ["content.published"]}),
    ] {
        let answer = patch(&app, &webhook, &body).await;
        assert_eq!(answer.json()["secretHint"], webhook.secret[webhook.secret.len() - 4..]);
    }
    let sealed = row(&app, &webhook).await.secret;
    let opened = app.service.vault.open(webhook.webhook_id.as_str(), &sealed).unwrap();
    assert_eq!(opened.expose_secret(), webhook.secret);
}

/// DEL-13, §3: also where the webhook was enabled all the time.
async fn enabling_forgives_failures(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    for (enabled, failures, reason) in [(false, 3, Some(DisabledReason::AutoFailures)), (true, 2, None)] {
        let mut tx = app.service.store.begin_write().await.unwrap();
        let standing = webhooks::WebhookState {
            id: webhook.webhook_id.clone(),
            enabled,
            disabled_reason: reason,
            consecutive_failures: failures,
            disabled_at: None,
        };
        webhooks::set_state(&mut tx, &standing).await.unwrap();
        tx.commit().await.unwrap();
        let before = listed(&app, &webhook).await;
        assert_eq!((before.disabled_reason, before.enabled), (reason, enabled));
        assert_eq!(i64::from(before.consecutive_failures), failures);

        let other = patch(&app, &webhook, &json!({"url": ELSEWHERE})).await.read::<Webhook>();
        assert_eq!((other.disabled_reason, other.enabled), (reason, enabled), "a new URL enables nothing");
        assert_eq!(i64::from(other.consecutive_failures), failures);

        let after = patch(&app, &webhook, &json!({"enabled": true})).await.read::<Webhook>();
        assert_eq!((after.enabled, after.disabled_reason, after.consecutive_failures), (true, None, 0));
    }
}

/// WH-F-8
async fn disabling_by_hand_gives_no_reason(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let answer = patch(&app, &webhook, &json!({"enabled": false})).await;
    assert_eq!(answer.json()["disabledReason"], json!(null));
    assert_eq!(listed(&app, &webhook).await.disabled_reason, None);
}

/// No change is lost to one that read before and wrote after it.
async fn two_changes_at_once_are_both_made(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    for round in 0..10 {
        let (enabled, events) = (round % 2 == 0, if round % 4 < 2 { "content.published" } else { "strings.published" });
        let (one, other) = (json!({"enabled": enabled}), json!({"events": [events]}));
        let (one, other) = tokio::join!(patch(&app, &webhook, &one), patch(&app, &webhook, &other));
        assert_eq!((one.status, other.status), (200, 200));
        let now = listed(&app, &webhook).await;
        assert_eq!((now.enabled, now.events[0].as_str()), (enabled, events), "round {round}");
    }
}

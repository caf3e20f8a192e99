//! Calls that an approval does not allow: each reason is told, and nothing is written.

use std::time::Duration;

use l10n_api_types::operations::Operation;
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::operations::support::{
    act, another_agent, approve, approved, ask, deny, details, file, get, greet, idle, keys, state, version,
};

both_engines!(
    an_agent_without_an_operation_is_told_what_to_ask_for,
    an_operation_that_is_not_there_allows_nothing,
    what_nobody_has_allowed_allows_nothing,
    an_operation_counts_for_the_key_that_asked,
    an_operation_allows_its_kind_of_work_alone,
    a_rollback_is_allowed_to_one_version,
    an_approval_of_some_languages_allows_no_others,
    a_publish_takes_no_language_out_of_what_is_live_that_the_approved_one_keeps,
    a_quote_above_the_approved_credits_is_refused,
    a_sync_archives_no_more_keys_than_were_approved,
    a_key_that_needs_no_approval_is_held_to_the_operation_it_names,
);

/// AUTH-11: `details` says what is to be asked for.
async fn an_agent_without_an_operation_is_told_what_to_ask_for(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let restore = format!("/versions/{}/restore", version(&app).await);
    let before = state(&app).await;
    for (path, body, kind) in [
        ("/translate", keys("a", "A"), "translation"),
        ("/translate", keys("greeting", "Hello"), "translation"),
        ("/sync", file(&json!({"a": "A"})), "translation"),
        ("/publish", json!({}), "publish"),
        (restore.as_str(), json!({}), "rollback"),
    ] {
        let answer = app.post(path).key(&app.project.keys.agent).json(&body).send().await;
        assert_eq!(details(&answer), json!({"reason": "missing", "kind": kind, "target": "strings"}), "{path}");
        assert!(answer.error().message.contains("POST /operations"));
    }
    assert_eq!(state(&app).await, before);
}

/// OPS-3, OPS-4: to a call another project's operation is as unknown as one of nobody's.
async fn an_operation_that_is_not_there_allows_nothing(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let other = app.other_project("unlimited").await;
    let theirs = app.at(http::Method::POST, &format!("/v1/projects/{}/operations", other.id)).key(&other.keys.agent);
    let theirs: Operation = theirs.json(&json!({"kind": "publish"})).send().await.read();
    let theirs = approve(&app, &theirs).await;
    let before = state(&app).await;
    let publish = async |id: &str| {
        let body = json!({"operationId": id});
        app.post("/publish").key(&app.project.keys.agent).json(&body).send().await
    };
    for id in [theirs.operation_id.as_str(), "op_00000000000000000000000000"] {
        assert_eq!(details(&publish(id).await), json!({"reason": "not_found", "operationId": id}));
    }
    // What can be no id is not repeated.
    for id in ["", "op_\u{1b}[2J", &"x".repeat(9_999)] {
        let answer = publish(id).await;
        assert_eq!(details(&answer), json!({"reason": "not_found", "kind": "publish", "target": "strings"}));
        assert!(answer.bytes.len() < 300);
    }
    assert_eq!(state(&app).await, before);
}

/// OPS-4: pending, denied and expired.
async fn what_nobody_has_allowed_allows_nothing(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let before = state(&app).await;
    let body = json!({"kind": "publish"});
    let pending = ask(&app, &app.project.keys.agent, &body).await;
    let denied = deny(&app, &ask(&app, &app.project.keys.agent, &body).await).await;
    for (operation, status) in [(&pending, "pending"), (&denied, "denied")] {
        let answer = act(&app, "/publish", json!({}), operation).await;
        let expected = json!({"reason": "not_approved", "operationId": operation.operation_id, "status": status});
        assert_eq!(details(&answer), expected);
    }
    let approved = approved(&app, &body).await;
    app.clock.advance(Duration::from_secs(86_400));
    for operation in [&pending, &approved] {
        let answer = act(&app, "/publish", json!({}), operation).await;
        let expected = json!({
            "reason": "expired", "operationId": operation.operation_id, "expiresAt": operation.expires_at,
        });
        assert_eq!(details(&answer), expected);
    }
    assert_eq!(state(&app).await, before);
}

/// OPS-4: bound to the key.
async fn an_operation_counts_for_the_key_that_asked(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let (other, _) = another_agent(&app).await;
    let theirs = approve(&app, &ask(&app, &other, &json!({"kind": "publish"})).await).await;
    let answer = act(&app, "/publish", json!({}), &theirs).await;
    assert_eq!(details(&answer), json!({"reason": "other_key", "operationId": theirs.operation_id}));
    let body = json!({"operationId": theirs.operation_id});
    assert_eq!(app.post("/publish").key(&other).json(&body).send().await.outcome(), "201", "it is still theirs");
}

/// OPS-4: bound to kind and target.
async fn an_operation_allows_its_kind_of_work_alone(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let version = version(&app).await;
    let before = state(&app).await;
    let translation = approved(&app, &json!({"kind": "translation", "max_credits": 9})).await;
    let publish = approved(&app, &json!({"kind": "publish"})).await;
    let rollback = approved(&app, &json!({"kind": "rollback", "versionId": version})).await;
    let restore = format!("/versions/{version}/restore");
    for (path, body, operation, kind) in [
        ("/publish", json!({}), &translation, "translation"),
        ("/publish", json!({}), &rollback, "rollback"),
        (&restore, json!({}), &publish, "publish"),
        (&restore, json!({}), &translation, "translation"),
        ("/translate", keys("a", "A"), &publish, "publish"),
        ("/sync", file(&json!({"a": "A"})), &rollback, "rollback"),
    ] {
        let answer = act(&app, path, body, operation).await;
        let expected = json!({"reason": "kind", "operationId": operation.operation_id, "kind": kind});
        assert_eq!(details(&answer), expected, "{path}");
        assert_eq!(get(&app, operation).await, *operation, "what was not used is as it was");
    }
    for (path, body, asked) in [
        ("/publish", json!({}), json!({"kind": "publish", "target": "content"})),
        ("/translate", keys("a", "A"), json!({"kind": "translation", "target": "content", "max_credits": 9})),
    ] {
        let operation = approved(&app, &asked).await;
        let answer = act(&app, path, body, &operation).await;
        let expected = json!({"reason": "target", "operationId": operation.operation_id, "target": "content"});
        assert_eq!(details(&answer), expected, "{path}");
    }
    assert_eq!(state(&app).await, before);
}

/// OPS-4: bound to the version.
async fn a_rollback_is_allowed_to_one_version(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let (first, second) = (version(&app).await, version(&app).await);
    version(&app).await;
    let before = state(&app).await;
    let operation = approved(&app, &json!({"kind": "rollback", "versionId": first})).await;
    let answer = act(&app, &format!("/versions/{second}/restore"), json!({}), &operation).await;
    let expected = json!({"reason": "version", "operationId": operation.operation_id, "versionId": first});
    assert_eq!(details(&answer), expected);
    let unknown = act(&app, "/versions/ver_none/restore", json!({}), &operation).await;
    assert_eq!(unknown.outcome(), "404 version_not_found", "404 comes first");
    assert_eq!(state(&app).await, before);
    assert_eq!(act(&app, &format!("/versions/{first}/restore"), json!({}), &operation).await.outcome(), "200");
}

/// OPS-4: bound to the languages; the base language is in every version.
async fn an_approval_of_some_languages_allows_no_others(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let before = state(&app).await;
    let run = json!({"kind": "translation", "max_credits": 9, "languages": ["de"]});
    let publish = json!({"kind": "publish", "languages": ["de"]});
    let with = |mut body: Value, more: Value| {
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let mut french = file(&json!({"greeting": "Bonjour"}));
    french["file"]["path"] = "fr.json".into();
    let cases = [
        ("/translate", &run, keys("a", "A"), json!({}), json!({"languages": ["de"]})),
        ("/translate", &run, keys("a", "A"), json!({"languages": ["de", "fr"]}), json!({"languages": ["DE"]})),
        ("/sync", &run, file(&json!({"b": "B"})), json!({}), json!({"languages": ["de"]})),
        ("/sync", &run, french, json!({"language": "fr"}), json!({"language": "de"})),
        ("/publish", &publish, json!({}), json!({"languages": ["fr"]}), json!({"languages": ["en"]})),
        ("/publish", &publish, json!({}), json!({}), json!({"languages": ["en", "de"]})),
    ];
    let mut allowed = Vec::new();
    for (path, asked, body, beyond, within) in cases {
        let operation = approved(&app, asked).await;
        let answer = act(&app, path, with(body.clone(), beyond.clone()), &operation).await;
        let expected = json!({"reason": "languages", "operationId": operation.operation_id, "languages": ["fr"]});
        assert_eq!(details(&answer), expected, "{path} {beyond}");
        allowed.push((path, with(body, within), operation));
    }
    assert_eq!(state(&app).await, before);
    for (path, body, operation) in allowed {
        let answer = act(&app, path, body, &operation).await;
        assert!(answer.status < 300, "{path}: {answer:?}");
    }
}

/// OPS-4: the person was shown a publish that keeps what is live; a language that is not live may be left out.
async fn a_publish_takes_no_language_out_of_what_is_live_that_the_approved_one_keeps(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    assert_eq!(app.post("/publish").json(&json!({"languages": ["de"]})).send().await.status, 201);
    let every = approved(&app, &json!({"kind": "publish"})).await;
    let both = approved(&app, &json!({"kind": "publish", "languages": ["de", "fr"]})).await;
    let base = approved(&app, &json!({"kind": "publish", "languages": ["en"]})).await;
    let before = state(&app).await;
    for operation in [&every, &both] {
        for languages in [["en"], ["fr"]] {
            let answer = act(&app, "/publish", json!({"languages": languages}), operation).await;
            let expected = json!({"reason": "left_out", "operationId": operation.operation_id, "languages": ["de"]});
            assert_eq!(details(&answer), expected, "{languages:?}");
        }
        assert_eq!(get(&app, operation).await, *operation, "it is not used up");
    }
    assert_eq!(state(&app).await, before);
    let answer = act(&app, "/publish", json!({"languages": ["de"]}), &every).await;
    assert_eq!(answer.outcome(), "201", "French is not live");
    let answer = act(&app, "/publish", json!({"languages": ["en"]}), &base).await;
    assert_eq!(answer.outcome(), "201", "that was approved");
    assert_eq!(act(&app, "/publish", json!({"languages": ["fr"]}), &both).await.outcome(), "201", "German is not live");
}

/// OPS-4, RES-13: `max_credits` is in whole credits, the quote in thousandths; the approved amount itself passes.
async fn a_quote_above_the_approved_credits_is_refused(store: TestStore) {
    let app = idle(&store).await;
    let before = state(&app).await;
    let free = approved(&app, &json!({"kind": "translation", "max_credits": 0})).await;
    let one = approved(&app, &json!({"kind": "translation", "max_credits": 1})).await;
    for (path, body, quote) in
        [("/translate", keys("a", &"x".repeat(501)), 1_002), ("/sync", file(&json!({"a": "x".repeat(501)})), 1_002)]
    {
        let answer = act(&app, path, body, &one).await;
        let expected = json!({
            "reason": "max_credits", "operationId": one.operation_id, "max_credits": 1, "estimatedCredits": quote,
        });
        assert_eq!(details(&answer), expected);
    }
    assert_eq!(state(&app).await, before);
    let answer = act(&app, "/translate", keys("a", &"x".repeat(500)), &one).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    assert_eq!(answer.json()["estimatedCredits"], 1_000);
    let again = act(&app, "/translate", keys("b", "B"), &free).await;
    assert_eq!(details(&again)["reason"], "max_credits");
    assert_eq!(act(&app, "/translate", keys("a", &"x".repeat(500)), &free).await.outcome(), "200", "nothing to pay");
}

/// OPS-4: archiving takes texts out of the next version, so that a person says how many.
async fn a_sync_archives_no_more_keys_than_were_approved(store: TestStore) {
    let app = idle(&store).await;
    let texts = |count: u32| -> Value { (0..count).map(|n| (format!("k{n}"), json!("Same"))).collect() };
    let sync = |count: u32| {
        let mut body = file(&texts(count));
        body["onRemoved"] = json!("archive");
        body
    };
    assert!(app.post("/sync").json(&sync(51)).send().await.status < 300);
    let before = state(&app).await;
    let preview = app.post("/sync?dryRun=true").key(&app.project.keys.agent).json(&sync(1)).send().await.json();
    assert_eq!((&preview["archived"], &preview["requiresOperation"]), (&json!(50), &json!(true)));
    let keeps = app.post("/sync?dryRun=true").json(&file(&texts(1))).send().await.json();
    assert_eq!((&keeps["archived"], &keeps["classification"]["removed"]), (&json!(0), &json!(50)));

    for (most, named) in [(None, 0), (Some(0), 0), (Some(49), 49)] {
        let mut asked = json!({"kind": "translation", "max_credits": 1, "languages": ["de", "fr"]});
        if let Some(most) = most {
            asked["maxArchivedKeys"] = json!(most);
        }
        let operation = approved(&app, &asked).await;
        let answer = act(&app, "/sync", sync(1), &operation).await;
        let expected = json!({
            "reason": "max_archived_keys", "operationId": operation.operation_id, "archived": 50,
            "maxArchivedKeys": named,
        });
        assert_eq!(details(&answer), expected);
        assert_eq!(get(&app, &operation).await, operation, "it is not used up");
    }
    assert_eq!(state(&app).await, before);

    let enough = json!({"kind": "translation", "max_credits": 1, "maxArchivedKeys": 50});
    let enough = approved(&app, &enough).await;
    assert_eq!(enough.max_archived_keys, Some(50));
    let answer = act(&app, "/sync", sync(1), &enough).await;
    assert!(answer.status < 300, "{answer:?}");
    assert_eq!(answer.json()["archived"], 50);
    assert_eq!(app.get("/meta").send().await.json()["keyCount"], 1);
}

/// OPS-4: a mistake shows, and an approval that is named is used.
async fn a_key_that_needs_no_approval_is_held_to_the_operation_it_names(store: TestStore) {
    let app = idle(&store).await;
    greet(&app).await;
    let admin = app.project.keys.admin.clone();
    let publish = async |id: &str| app.post("/publish").key(&admin).json(&json!({"operationId": id})).send().await;
    assert_eq!(details(&publish("op_none").await)["reason"], "not_found");
    let agents = approved(&app, &json!({"kind": "publish"})).await;
    assert_eq!(details(&publish(agents.operation_id.as_str()).await)["reason"], "other_key");
    let own = ask(&app, &admin, &json!({"kind": "publish"})).await;
    assert_eq!(details(&publish(own.operation_id.as_str()).await)["reason"], "not_approved");
    approve(&app, &own).await;
    assert_eq!(publish(own.operation_id.as_str()).await.outcome(), "201");
    assert_eq!(details(&publish(own.operation_id.as_str()).await)["reason"], "used");
    assert_eq!(app.post("/publish").send().await.outcome(), "201", "without one it acts by itself");
}

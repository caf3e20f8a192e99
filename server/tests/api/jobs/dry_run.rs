//! The preview flag, agents' keys and scopes.

use std::time::Duration;

use http::Method;
use l10n_api_types::Millicredits;
use l10n_api_types::translations::{Run, RunStatus};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, state, sync, sync_with, taken, texts, translate};

l10n_server::both_engines!(
    a_dry_run_writes_nothing_at_all,
    the_flag_in_any_other_place_spelling_or_type_runs_nothing,
    dry_run_false_is_a_real_run,
    an_agents_key_previews_and_does_not_run,
    scopes_are_checked_exactly,
    an_answer_says_whether_a_run_changes_anything,
);

fn bodies() -> [(&'static str, Value); 2] {
    [
        ("/translate", json!({"keys": texts([("n", "New")])})),
        ("/sync", json!({"file": {"path": "en.json", "content": "{\"n\":\"New\"}", "encoding": "utf8"}})),
    ]
}

/// DRY-1, DRY-2, RES-13.
async fn a_dry_run_writes_nothing_at_all(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &taken(sync(&app, "en.json", &json!({"a": "A", "b": "B"})).send().await)).await;
    let before = state(&app).await;
    for body in [json!({"a": "A changed", "c": "C"}), json!({"renamed": "A"}), json!({})] {
        let more = json!({"onRemoved": "archive"});
        let run = taken(sync_with(&app, "?dryRun=true", "en.json", &body, more.clone()).send().await);
        assert!(run.dry_run && run.status == RunStatus::Preview && run.tracking_token.is_none());
        assert_eq!((run.credits_charged, run.would_fail), (Millicredits::ZERO, None));
        assert_eq!(state(&app).await, before);
    }
    let german = json!({"language": "de"});
    let import = taken(sync_with(&app, "?dryRun=true", "de.json", &json!({"a": "X"}), german).send().await);
    assert_eq!((import.status, import.classification.changed), (RunStatus::Preview, 1));
    assert_eq!(state(&app).await, before);
    for (path, body) in bodies() {
        let run = taken(app.post(&format!("{path}?dryRun=true")).json(&body).send().await);
        assert_eq!(run.estimated_credits, Millicredits(6), "three characters, two languages, a millicredit each");
    }
    assert_eq!(state(&app).await, before);
}

/// DRY-4a, DRY-4b, DRY-4c, DRY-4d: each with its positive control, the same body without the fault.
async fn the_flag_in_any_other_place_spelling_or_type_runs_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let before = state(&app).await;
    for (path, body) in bodies() {
        taken(app.post(&format!("{path}?dryRun=true")).json(&body).send().await);
        for query in [
            "dry_run=true",
            "dryrun=true",
            "DryRun=true",
            "DRYRUN=true",
            "dry-run=true",
            "dryRun=1",
            "dryRun=0",
            "dryRun=yes",
            "dryRun=",
            "dryRun",
            "dryRun=TRUE",
            "dryRun=True",
            "dryRun=true&dryRun=false",
            "dryRun=false&dryRun=false",
            "dryRun=true&more=1",
            "dry%52un=1",
        ] {
            let answer = app.post(&format!("{path}?{query}")).json(&body).send().await;
            assert_eq!(answer.outcome(), "400 invalid_argument", "{path}?{query}");
        }
        for name in ["dryRun", "dry_run", "dryrun", "DryRun", "DRYRUN", "dry-run"] {
            for value in [json!(true), json!(false), json!(1), json!("true"), json!(null), json!([]), json!({})] {
                let mut body = body.clone();
                body[name] = value.clone();
                for query in ["", "?dryRun=true"] {
                    let answer = app.post(&format!("{path}{query}")).json(&body).send().await;
                    assert_eq!(answer.outcome(), "400 invalid_argument", "{path}{query} {name}: {value}");
                }
            }
        }
    }
    assert_eq!(state(&app).await, before);
}

/// DRY-4e.
async fn dry_run_false_is_a_real_run(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (path, body) in bodies() {
        let answer = app.post(&format!("{path}?dryRun=false")).json(&body).send().await;
        assert!(!answer.read::<Run>().dry_run);
        assert!(answer.status < 300);
    }
    assert_eq!(app.get("/meta").send().await.json()["keyCount"], 1);
}

/// DRY-7, AUTH-11.
async fn an_agents_key_previews_and_does_not_run(store: TestStore) {
    let app = TestApp::on(&store).await;
    let agent = app.project.keys.agent.clone();
    let before = state(&app).await;
    for (path, body) in bodies() {
        let run = taken(app.post(&format!("{path}?dryRun=true")).key(&agent).json(&body).send().await);
        assert!(run.requires_operation && run.would_fail.is_none());
        for operation in [json!(null), json!("op_of_nobody")] {
            let mut body = body.clone();
            if operation.is_string() {
                body["operationId"] = operation;
            }
            let answer = app.post(path).key(&agent).json(&body).send().await;
            assert_eq!(answer.outcome(), "403 authorization_required", "{path}");
        }
        let mut broken = body.clone();
        broken["languages"] = json!(["xx"]);
        let answer = app.post(path).key(&agent).json(&broken).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "what is malformed is told before what is missing");
    }
    assert_eq!(state(&app).await, before);
    assert!(!taken(translate(&app, &texts([("a", "A")])).send().await.clone()).requires_operation);
}

/// SCOPE-T-1, SCOPE-T-2, SCOPE-TR-1, SCOPE-TR-2, SCOPE-TR-3, SCOPE-TR-4, SCOPE-TR-5.
async fn scopes_are_checked_exactly(store: TestStore) {
    let app = TestApp::on(&store).await;
    taken(translate(&app, &texts([("a", "A")])).send().await);
    let routes = [
        (Method::POST, "/translate?dryRun=true", Some(0), &["translate"][..]),
        (Method::POST, "/sync?dryRun=true", Some(1), &["translate"]),
        (Method::GET, "/translations?trackingToken=trk_none", None, &["read", "translate"]),
        (Method::GET, "/translations?ref=a", None, &["read", "translate"]),
        (Method::GET, "/translations?version=ver_none", None, &["read"]),
        (Method::GET, "/translations", None, &["read"]),
        (Method::GET, "/translations?ref=a&version=ver_none", None, &["read"]),
        (Method::GET, "/translations?trackingToken=x&version=ver_none", None, &["read"]),
    ];
    for (method, path, body, accepted) in routes {
        for (scope, key) in app.project.keys.of_one_scope() {
            let mut call = app.call(method.clone(), path).key(key);
            if let Some(body) = body {
                call = call.json(&bodies()[body].1);
            }
            let outcome = call.send().await.outcome();
            let is_refused = outcome == "403 forbidden";
            assert_eq!(is_refused, !accepted.contains(&scope.as_str()), "{method} {path} with {scope}: {outcome}");
        }
    }
}

/// The answers of a dry run and of the real one after it. One that changes nothing leaves the state as it is.
async fn an_answer_says_whether_a_run_changes_anything(store: TestStore) {
    let app = TestApp::on(&store).await;
    let file = |path: &str, content: &str| json!({"file": {"path": path, "content": content, "encoding": "utf8"}});
    let arb = |title: &str, description: &str| {
        let content = json!({"@@locale": "en", "title": title, "@title": {"description": description}, "end": "End"});
        file("app_en.arb", &content.to_string())
    };
    let merged = |mut body: Value, more: Value| {
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let key = |more: Value| json!({"keys": [merged(json!({"ref": "k", "text": "Text"}), more)]});
    let german = || merged(file("app_de.arb", r#"{"@@locale": "de", "title": "Start"}"#), json!({"language": "de"}));
    for (name, path, body) in [
        ("a new file", "/sync", arb("Home", "The title")),
        ("another text", "/sync", arb("Start", "The title")),
        ("another description", "/sync", arb("Start", "The title of a page")),
        ("another order", "/sync", file("app_en.arb", r#"{"@@locale": "en", "end": "End", "title": "Start"}"#)),
        (
            "a file that only looks otherwise",
            "/sync",
            file("app_en.arb", r#"{"@@locale":"en","end":"End","title":"Start"}"#),
        ),
        ("a translation", "/sync", german()),
        ("all of it anew", "/sync", merged(arb("Start", "The title of a page"), json!({"retranslate": true}))),
        ("another file", "/sync", file("lib/app_en.arb", r#"{"@@locale": "en", "title": "Start"}"#)),
        ("a key", "/translate", key(json!({}))),
        ("its longest length", "/translate", key(json!({"maxLength": 40}))),
        ("its tags", "/translate", key(json!({"maxLength": 40, "tags": ["menu"]}))),
    ] {
        // Another window of requests.
        app.clock.advance(Duration::from_secs(60));
        let dry = taken(app.post(&format!("{path}?dryRun=true")).json(&body).send().await);
        let real = taken(app.post(path).json(&body).send().await);
        assert!(!dry.changes_nothing && !real.changes_nothing, "{name}: {dry:?}");
        if real.tracking_token.is_some() {
            ended(&app, &real).await;
        }
        if body.get("retranslate").is_some() {
            continue;
        }
        let before = state(&app).await;
        for query in ["?dryRun=true", ""] {
            let again = taken(app.post(&format!("{path}{query}")).json(&body).send().await);
            assert!(again.changes_nothing, "{name} once more: {again:?}");
            assert_eq!(state(&app).await, before, "{name}");
        }
    }
    let without_end = file("app_en.arb", r#"{"@@locale": "en"}"#);
    taken(app.post("/sync").json(&without_end).send().await);
    let dry = async |more: Value| {
        let body = merged(without_end.clone(), more);
        taken(app.post("/sync?dryRun=true").json(&body).send().await).changes_nothing
    };
    assert!(dry(json!({})).await && !dry(json!({"onRemoved": "archive"})).await);
}

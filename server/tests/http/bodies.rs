//! Bodies and query parameters that are not as they should be.

use l10n_server::both_engines;
use l10n_server::testing::{Answer, TestApp, TestStore};
use serde_json::{Value, json};

both_engines!(
    a_malformed_body_is_refused_and_writes_nothing,
    the_preview_flag_is_refused_where_there_is_no_preview,
    a_body_that_is_not_json_by_its_own_word_is_refused,
    the_cap_holds_to_the_byte,
    a_sync_takes_four_mebibytes,
    the_preview_flag_is_exact_where_there_is_a_preview,
    reads_ignore_what_they_do_not_know,
);

async fn languages(app: &TestApp) -> Value {
    app.get("/meta").send().await.json()["languages"].clone()
}

async fn post(app: &TestApp, body: impl Into<bytes::Bytes>) -> Answer {
    app.post("/languages").body(body).header("content-type", "application/json").send().await
}

/// CONV-3, ERR-400-1, ERR-400-2, ERR-400-3, AMB-31, HOSTILE-INPUTS S4
async fn a_malformed_body_is_refused_and_writes_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let before = languages(&app).await;
    let mut bodies: Vec<Vec<u8>> = [
        "",
        " ",
        "null",
        "[]",
        "\"x\"",
        "1",
        "{",
        "{}",
        "{}x",
        r#"{"languages":null}"#,
        r#"{"languages":{}}"#,
        r#"{"languages":"it"}"#,
        r#"{"languages":["it"]}"#,
        r#"{"languages":[["it"]]}"#,
        r#"[[{"code":"it"}]]"#,
        r#"{"languages":[{"code":5}]}"#,
        r#"{"languages":[{"code":null}]}"#,
        r#"{"languages":[{}]}"#,
        r#"{"languages":[]}"#,
        r#"{"languages":[{"code":"it"}],"languages":[{"code":"it"}]}"#,
        r#"{"languages":[{"code":"it","code":"es"}]}"#,
        r#"{"languages":[{"code":"it"}],"more":1}"#,
        r#"{"languages":[{"code":"it","more":1}]}"#,
        r#"{"languages":[{"code":"it\u0000"}]}"#,
        r#"{"languages":[{"code":"\ud800"}]}"#,
        r#"{"languages":[{"code":01}]}"#,
        r#"{"languages":[{"code":"not a tag"}]}"#,
        r#"{"languages":[{"code":"it"},{"code":"../x"}]}"#,
        "\u{feff}{\"languages\":[{\"code\":\"it\"}]}",
    ]
    .map(|body| body.as_bytes().to_vec())
    .into();
    bodies.push(b"{\"languages\":[{\"code\":\"it\xff\"}]}".to_vec());
    bodies.push(format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)).into_bytes());
    bodies.push(format!("{{\"languages\":{}1e400{}}}", "[".repeat(20), "]".repeat(20)).into_bytes());
    bodies.push(format!("{{\"{}\":1}}", "k".repeat(1_000_000)).into_bytes());
    bodies.push(format!("{{\"languages\":[{}0]}}", "0,".repeat(100_000)).into_bytes());
    bodies.push(format!("{{\"languages\":[{{\"code\":\"{}\"}}]}}", "x".repeat(1_000_000)).into_bytes());
    for body in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
        let answer = post(&app, body).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{shown}");
        assert!(answer.error().message.len() < 500, "{shown}");
    }
    assert_eq!(languages(&app).await, before);
    // The control: the same request, unbroken.
    assert_eq!(post(&app, r#"{"languages":[{"code":"it"}]}"#).await.status, 200);
}

/// DRY-5, DRY-4b
async fn the_preview_flag_is_refused_where_there_is_no_preview(store: TestStore) {
    let app = TestApp::on(&store).await;
    let before = languages(&app).await;
    let bodies =
        [("/languages", json!({"languages": [{"code": "it"}]})), ("/output-formats", json!({"outputFormats": []}))];
    for (path, body) in bodies {
        for flag in ["dryRun", "dry_run", "dryrun", "DryRun", "DRYRUN", "dry-run"] {
            for value in ["true", "false", "1", ""] {
                let answer = app.post(&format!("{path}?{flag}={value}")).json(&body).send().await;
                assert_eq!(answer.outcome(), "400 invalid_argument", "{path}?{flag}={value}");
            }
            let mut flagged = body.clone();
            flagged[flag] = json!(true);
            let answer = app.post(path).json(&flagged).send().await;
            assert_eq!(answer.outcome(), "400 invalid_argument", "{path} {flag}");
            assert!(answer.error().message.contains("no preview"), "{}", answer.error().message);
        }
    }
    assert_eq!(languages(&app).await, before);
}

/// ERR-415-1
async fn a_body_that_is_not_json_by_its_own_word_is_refused(store: TestStore) {
    let app = TestApp::on(&store).await;
    let body = r#"{"languages":[{"code":"it"}]}"#;
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"] {
        let answer = app.post("/languages").body(body).header("content-type", media_type).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{media_type}");
    }
    let packed = app.post("/languages").body(body).header("content-encoding", "gzip").send().await;
    assert_eq!(packed.outcome(), "400 invalid_argument");
    assert_eq!(app.post("/languages").body(body).send().await.status, 200);
}

/// LIM-BODY-1, LIM-BODY-7, ERR-413-1, AMB-11
async fn the_cap_holds_to_the_byte(store: TestStore) {
    let app = TestApp::on(&store).await;
    let before = languages(&app).await;
    let padded = |length: usize| {
        let mut body = br#"{"languages":[]}"#.to_vec();
        body.resize(length, b' ');
        body
    };
    const CAP: usize = 1024 * 1024;
    assert_eq!(post(&app, padded(CAP)).await.outcome(), "400 invalid_argument");
    assert_eq!(post(&app, padded(CAP + 1)).await.outcome(), "413 payload_too_large");
    assert_eq!(post(&app, padded(12 * CAP)).await.outcome(), "413 payload_too_large");
    // A key without the scope learns nothing of the body.
    let answer = app.post("/languages").key(&app.project.keys.read).body(padded(CAP + 1)).send().await;
    assert_eq!(answer.outcome(), "403 forbidden");
    assert_eq!(languages(&app).await, before);
}

/// API-COMPLETION 1
async fn reads_ignore_what_they_do_not_know(store: TestStore) {
    let app = TestApp::on(&store).await;
    assert_eq!(app.get("/meta?dryRun=true&x=1&x=2").send().await.status, 200);
    assert_eq!(app.get("/meta").body("not looked at").send().await.status, 200);
    for query in ["%ff=1", "x=%00"] {
        assert_eq!(app.get(&format!("/meta?{query}")).send().await.outcome(), "400 invalid_argument");
    }
}

/// LIM-BODY-2, LIM-BODY-3
async fn a_sync_takes_four_mebibytes(store: TestStore) {
    let app = TestApp::on(&store).await;
    const CAP: usize = 4 * 1024 * 1024;
    let padded = |length: usize| {
        let mut body = b"{}".to_vec();
        body.resize(length, b' ');
        body
    };
    let sync = |body: Vec<u8>| app.post("/sync?dryRun=true").key(&app.project.keys.translate).body(body).send();
    assert_eq!(sync(padded(CAP)).await.outcome(), "400 invalid_argument");
    assert_eq!(sync(padded(CAP + 1)).await.outcome(), "413 payload_too_large");
    let file = |bytes: usize| {
        let content = format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - r#"{"a":""}"#.len()));
        let file = json!({"path": "en.json", "content": content, "encoding": "utf8"});
        serde_json::to_vec(&json!({ "file": file })).unwrap()
    };
    assert_eq!(sync(file(CAP / 2)).await.status, 200);
    assert_eq!(sync(file(CAP / 2 + 1)).await.outcome(), "413 payload_too_large");
}

/// DRY-1, DRY-4a, DRY-4b, DRY-4c, DRY-4d: nothing runs, and nothing is written.
async fn the_preview_flag_is_exact_where_there_is_a_preview(store: TestStore) {
    let app = TestApp::on(&store).await;
    let before = app.get("/meta").send().await.json();
    let bodies = [
        ("/translate", json!({"keys": [{"ref": "a", "text": "A"}]})),
        ("/sync", json!({"file": {"path": "en.json", "content": "{\"a\":\"A\"}", "encoding": "utf8"}})),
    ];
    for (path, body) in bodies {
        let queries = [
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
            "dryRun=true&dryRun=true",
            "dryRun=true&dryRun=false",
            "dryRun=true&dry_run=true",
            "dryRun=true&x=1",
        ];
        for query in queries {
            let answer = app.post(&format!("{path}?{query}")).json(&body).send().await;
            assert_eq!(answer.outcome(), "400 invalid_argument", "{path}?{query}");
        }
        for name in ["dryRun", "dry_run", "dryrun", "DryRun", "DRYRUN", "dry-run"] {
            for query in ["", "?dryRun=true"] {
                let mut flagged = body.clone();
                flagged[name] = json!(true);
                let answer = app.post(&format!("{path}{query}")).json(&flagged).send().await;
                assert_eq!(answer.outcome(), "400 invalid_argument", "{path}{query} {name}");
                assert!(answer.error().message.contains("goes into the query"), "{}", answer.error().message);
            }
        }
        let preview = app.post(&format!("{path}?dryRun=true")).json(&body).send().await;
        assert_eq!((preview.status, &preview.json()["dryRun"]), (200, &json!(true)), "{path}");
    }
    let after = app.get("/meta").send().await.json();
    for field in ["balance", "keyCount", "unpublishedChanges"] {
        assert_eq!(after[field], before[field], "{field}");
    }
}

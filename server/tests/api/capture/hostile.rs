//! Bad input: a clear refusal, and nothing written.

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::capture::fixtures::{capture, counts, meta, post_capture};

both_engines!(
    what_cannot_be_is_refused_by_its_place_and_writes_nothing,
    sizes_hold_to_the_byte,
    lists_of_changes_refuse_what_cannot_be,
);

async fn what_cannot_be_is_refused_by_its_place_and_writes_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let with = |field: &str, value: Value| {
        let mut key = json!({"ref": "a"});
        key[field] = value;
        json!([{"ref": "first"}, key])
    };
    let context = |context: Value| with("context", context);
    let cases = [
        (json!([]), "keys"),
        (json!({"ref": "a"}), "keys"),
        (json!("a"), "keys"),
        (json!(null), "keys"),
        (json!(["a"]), "keys[0]"),
        (json!([[]]), "keys[0]"),
        (json!([{}]), "ref"),
        (json!([{"ref": ""}]), "keys[0].ref"),
        (json!([{"ref": 5}]), "ref"),
        (with("ref", json!("a\u{1b}[2J")), "keys[1].ref"),
        (with("ref", json!("a\nb")), "keys[1].ref"),
        (with("ref", json!("a\u{0}b")), "NUL"),
        (with("ref", json!("ä".repeat(257))), "keys[1].ref"),
        (with("text", json!(["A"])), "text"),
        (with("text", json!("x".repeat(10_001))), "keys[1].text"),
        (with("language", json!("no language")), "keys[1].language"),
        (with("txt", json!("A")), "txt"),
        (context(json!("src/a.ts:1")), "context"),
        (context(json!([])), "context"),
        (context(json!({"line": 0})), "keys[1].context.line"),
        (context(json!({"line": -1})), "line"),
        (context(json!({"line": 1.5})), "line"),
        (context(json!({"line": 4_294_967_296_u64})), "line"),
        (context(json!({"line": "7"})), "line"),
        (context(json!({"url": "x".repeat(2_049)})), "keys[1].context.url"),
        (context(json!({"url": "https://a/\u{7}"})), "keys[1].context.url"),
        (context(json!({"file": {"path": "a"}})), "file"),
        (context(json!({"file": "x".repeat(513)})), "keys[1].context.file"),
        (context(json!({"stack": "at a.ts"})), "stack"),
    ];
    for (keys, place) in cases {
        let answer = post_capture(&app, &keys).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{keys}");
        let message = answer.error().message;
        assert!(place == "NUL" || message.contains(place), "{place}: {message}");
        assert!(message.len() < 600, "{}", message.len());
    }
    for body in [
        "",
        "[]",
        "null",
        "{\"keys\":[{\"ref\":\"a\"}],\"keys\":[]}",
        "{\"keys\":[{\"ref\":\"a\",\"ref\":\"b\"}]}",
        "{",
    ] {
        let answer = app.post("/capture").header("content-type", "application/json").body(body).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{body}");
    }
    let meta = meta(&app).await;
    assert_eq!((&meta["capturedCount"], &meta["remaining"]["captures"]), (&0.into(), &5_000.into()));
}

/// §8: 500 keys, 512 bytes, 10,000 bytes; all that fit in one call of the body's cap.
async fn sizes_hold_to_the_byte(store: TestStore) {
    let app = TestApp::on(&store).await;
    let many = |count: usize| (0..count).map(|n| json!({"ref": format!("k{n}")})).collect::<Value>();
    assert_eq!(post_capture(&app, &many(501)).await.outcome(), "400 invalid_argument");
    assert_eq!(counts(&capture(&app, &many(500)).await), (500, 0, 0));
    let longest = json!([{"ref": "ä".repeat(256), "text": "x".repeat(10_000), "context": {
        "url": format!("https://{}", "h".repeat(2_040)), "file": "f".repeat(512), "line": u32::MAX,
    }}]);
    assert_eq!(counts(&capture(&app, &longest).await), (1, 0, 0));
    let same = (0..500).map(|_| json!({"ref": "same"})).collect::<Value>();
    assert_eq!(counts(&capture(&app, &same).await), (1, 0, 0));
    let empty =
        json!([{"ref": "e", "text": "", "context": {}}, {"ref": "n", "text": null, "language": null, "context": null}]);
    assert_eq!(counts(&capture(&app, &empty).await), (2, 0, 0));
    let large = json!({"keys": [{"ref": "a", "text": "x".repeat(1_048_576)}]});
    assert_eq!(app.post("/capture").json(&large).send().await.outcome(), "413 payload_too_large");
}

async fn lists_of_changes_refuse_what_cannot_be(store: TestStore) {
    let app = TestApp::on(&store).await;
    for query in ["limit=0", "limit=501", "limit=x", "cursor=%00", "cursor=abc"] {
        let answer = app.get(&format!("/pending-code-changes?{query}")).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{query}");
    }
    let versions = l10n_server::domain::pages::Cursor::Before(7).encode();
    let answer = app.get(&format!("/pending-code-changes?cursor={versions}")).send().await;
    assert_eq!(answer.outcome(), "400 invalid_argument", "a cursor of another list");
}

//! Input that is broken, oversized or made to harm: always an error that names the fault, never a 5xx, nothing written.

use l10n_api_types::{FormatId, Key};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, state, sync, taken, texts, translate};

l10n_server::both_engines!(
    broken_files_are_refused_and_write_nothing,
    a_file_is_at_most_two_mebibytes_once_decoded,
    a_sync_body_is_at_most_four_mebibytes,
    paths_that_lead_elsewhere_are_refused,
    broken_keys_are_refused_by_the_name_of_their_field,
    odd_names_and_texts_are_kept_as_they_are,
    a_file_with_very_many_keys_is_taken,
);

fn upload(path: &str, content: &str, encoding: &str) -> Value {
    json!({"file": {"path": path, "content": content, "encoding": encoding}})
}

async fn started(store: &TestStore) -> (TestApp, Value) {
    let app = TestApp::on(store).await;
    ended(&app, &taken(sync(&app, "en.json", &json!({"a": "A"})).send().await)).await;
    let before = state(&app).await;
    (app, before)
}

async fn broken_files_are_refused_and_write_nothing(store: TestStore) {
    let (app, before) = started(&store).await;
    let deep = "{\"a\":".repeat(10_000);
    let files = [
        ("en.json", "", "utf8"),
        ("en.json", "{", "utf8"),
        ("en.json", "[]", "utf8"),
        ("en.json", "null", "utf8"),
        ("en.json", "{\"a\": \"x\",}}", "utf8"),
        ("en.json", "{\"a\": \"x\"} trailing", "utf8"),
        ("en.json", "{\"a\": \"\\ud800\"}", "utf8"),
        ("en.json", "{\"a\": \"\\u0000\"}", "utf8"),
        ("en.json", "{\"a\\u0000\": \"x\"}", "utf8"),
        ("en.json", "{\"\": \"x\"}", "utf8"),
        ("en.json", &deep, "utf8"),
        ("en.arb", "{\"@@locale\": \"en\"", "utf8"),
        ("en.json", "eyJhIjoiQSJ9=", "base64"),
        ("en.json", "eyJh IjoiQSJ9", "base64"),
        ("en.json", "eyJhIjoiQSJ9\n", "base64"),
        ("en.json", "////", "base64"),
        ("en.json", "AAAA", "base64"),
        ("strings.bin", "{}", "utf8"),
        ("en.xml", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>", "utf8"),
    ];
    for (path, content, encoding) in files {
        for query in ["", "?dryRun=true"] {
            let answer = app.post(&format!("/sync{query}")).json(&upload(path, content, encoding)).send().await;
            assert_eq!(answer.status, 400, "{path}: {:.60}: {answer:?}", content);
        }
    }
    let answer = app.post("/sync").json(&upload("en.json", "{\n  \"a\": oops\n}", "utf8")).send().await;
    assert_eq!(answer.outcome(), "400 file_unparseable");
    let details = answer.error().details.unwrap();
    assert_eq!((details["line"].as_u64(), details["column"].as_u64()), (Some(2), Some(8)));
    let formats = FormatId::ALL.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(", ");
    let unknown = app.post("/sync").json(&upload("strings.bin", "{}", "utf8")).send().await;
    assert_eq!(unknown.outcome(), "400 format_unsupported");
    assert!(unknown.error().message.contains(&formats), "{unknown:?}");
    let mut word = upload("strings.docx", "{}", "utf8");
    word["file"]["format"] = json!("word");
    let unknown = app.post("/sync").json(&word).send().await;
    assert_eq!(unknown.outcome(), "400 format_unsupported");
    assert!(unknown.error().message.contains(&formats), "{unknown:?}");
    let unclear =
        app.post("/sync").json(&upload("en.json", r#"{"a": "{name}", "b": "{{name}}"}"#, "utf8")).send().await;
    assert_eq!(unclear.outcome(), "400 format_ambiguous");
    assert_eq!(state(&app).await, before);
}

/// LIM-BODY-3.
async fn a_file_is_at_most_two_mebibytes_once_decoded(store: TestStore) {
    use base64::Engine as _;
    const CAP: usize = 2 * 1024 * 1024;
    let (app, before) = started(&store).await;
    let file = |length: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(length - 8));
    let base64 = |text: String| base64::engine::general_purpose::STANDARD.encode(text);
    for (content, encoding, fits) in [
        (file(CAP), "utf8", true),
        (file(CAP + 1), "utf8", false),
        (base64(file(CAP)), "base64", true),
        (base64(file(CAP + 1)), "base64", false),
        (base64(file(CAP + 2)), "base64", false),
    ] {
        let answer = app.post("/sync?dryRun=true").json(&upload("en.json", &content, encoding)).send().await;
        let outcome = answer.outcome();
        assert_eq!(outcome, if fits { "200" } else { "413 payload_too_large" }, "{encoding} {}", content.len());
    }
    assert_eq!(state(&app).await, before);
}

/// LIM-BODY-2.
async fn a_sync_body_is_at_most_four_mebibytes(store: TestStore) {
    let (app, before) = started(&store).await;
    let body = |length: usize| {
        let mut body = serde_json::to_vec(&json!({"file": {}})).unwrap();
        body.resize(length, b' ');
        body
    };
    for (length, expected) in
        [(4 * 1024 * 1024, "400 invalid_argument"), (4 * 1024 * 1024 + 1, "413 payload_too_large")]
    {
        let answer = app.post("/sync").header("content-type", "application/json").body(body(length)).send().await;
        assert_eq!(answer.outcome(), expected);
    }
    assert_eq!(state(&app).await, before);
}

async fn paths_that_lead_elsewhere_are_refused(store: TestStore) {
    let (app, before) = started(&store).await;
    for path in [
        "",
        "/etc/passwd.json",
        "../en.json",
        "a/../../en.json",
        "a//en.json",
        "a\\en.json",
        "C:/en.json",
        "./en.json",
        "a/./en.json",
        "en.json/",
        "e\nn.json",
        "\u{7f}.json",
        &format!("{}.json", "x".repeat(508)),
    ] {
        let answer = app.post("/sync").json(&upload(path, "{\"a\":\"A\"}", "utf8")).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{path:?}");
        assert!(answer.error().message.contains("file.path"), "{answer:?}");
    }
    assert_eq!(state(&app).await, before);
}

async fn broken_keys_are_refused_by_the_name_of_their_field(store: TestStore) {
    let (app, before) = started(&store).await;
    let good = json!({"ref": "good", "text": "Good"});
    taken(app.post("/translate?dryRun=true").json(&json!({"keys": [good]})).send().await);
    for (bad, field) in [
        (json!({"ref": "", "text": "x"}), "keys[1].ref"),
        (json!({"ref": "x".repeat(513), "text": "x"}), "keys[1].ref"),
        (json!({"ref": "a\u{1}", "text": "x"}), "keys[1].ref"),
        (json!({"ref": "good", "text": "x"}), "keys[1].ref"),
        (json!({"ref": "b"}), "keys[1]"),
        (json!({"ref": "b", "text": "x", "plural": {"arg": "n", "forms": {"other": "x"}}}), "keys[1]"),
        (json!({"ref": "b", "plural": {"arg": "n", "forms": {"one": "x"}}}), "keys[1]"),
        (json!({"ref": "b", "plural": {"arg": "", "forms": {"other": "x"}}}), "keys[1].plural.arg"),
        (json!({"ref": "b", "plural": {"arg": "n", "forms": {"plenty": "x"}}}), "keys[1].plural.forms"),
        (json!({"ref": "b", "text": "x", "maxLength": 0}), "keys[1].maxLength"),
        (json!({"ref": "b", "text": "x", "maxLength": -1}), "keys[1].maxLength"),
        (json!({"ref": "b", "text": "x", "namespace": "a/b"}), "keys[1].namespace"),
        (json!({"ref": "b", "text": "x", "namespace": ".."}), "keys[1].namespace"),
        (json!({"ref": "b", "text": "x", "tags": [""]}), "keys[1].tags[0]"),
        (json!({"ref": "b", "text": "x", "description": "d".repeat(4_097)}), "keys[1].description"),
        (json!({"ref": "b", "text": 1}), "keys[1].text"),
        (json!({"ref": "b", "texts": "x"}), "keys[1].texts"),
        (json!(["b", "x"]), "keys[1]"),
        (json!(null), "keys[1]"),
    ] {
        let answer = app.post("/translate").json(&json!({"keys": [good, bad]})).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{bad}");
        assert!(answer.error().message.contains(field), "{bad}: {}", answer.error().message);
    }
    for (body, field) in [
        (json!({"keys": []}), "keys"),
        (json!({}), "keys"),
        (json!({"keys": (0..10_001).map(|n| Key::text(n.to_string(), "")).collect::<Vec<_>>()}), "keys"),
        (json!({"keys": [good], "languages": []}), "languages"),
        (json!({"keys": [good], "languages": ["en"]}), "languages[0]"),
        (json!({"keys": [good], "languages": ["de", "es"]}), "languages[1]"),
        (json!({"keys": [good], "retranslate": "yes"}), "retranslate"),
    ] {
        let answer = app.post("/translate").json(&body).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{field}");
        assert!(answer.error().message.contains(field), "{}", answer.error().message);
    }
    assert_eq!(state(&app).await, before);
}

async fn odd_names_and_texts_are_kept_as_they_are(store: TestStore) {
    let app = TestApp::on(&store).await;
    let odd = [
        "__proto__",
        "constructor",
        "../../etc/passwd",
        "a'; DROP TABLE keys;--",
        "=cmd|' /C calc'!A0",
        "%00",
        "🦀",
        " ",
    ];
    let run = taken(translate(&app, &texts(odd.map(|name| (name, name)))).send().await);
    ended(&app, &run).await;
    let list = app.get("/translations").send().await.json();
    let mut names: Vec<_> = list["keys"].as_array().unwrap().iter().map(|key| key["text"].as_str().unwrap()).collect();
    names.sort_unstable();
    let mut sorted = odd;
    sorted.sort_unstable();
    assert_eq!(names, sorted);
}

async fn a_file_with_very_many_keys_is_taken(store: TestStore) {
    let app = TestApp::on(&store).await;
    let file: serde_json::Map<String, Value> = (0..12_000).map(|n| (format!("k{n}"), json!("x"))).collect();
    let run = taken(sync(&app, "en.json", &Value::Object(file)).send().await);
    assert_eq!((run.classification.new, run.estimated_credits.0), (12_000, 2));
    assert_eq!(ended(&app, &run).await.progress.done, 24_000);
}

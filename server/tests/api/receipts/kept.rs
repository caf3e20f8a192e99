//! Answers that are kept for repeated requests: bounded one by one, and all of a project together.

use l10n_server::both_engines;
use l10n_server::domain::receipts::LONGEST_KEPT;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{Answer, Call, TestApp, TestStore, sql};
use serde_json::{Value, json};

both_engines!(
    a_large_answer_is_given_again_without_its_items,
    an_answer_that_is_large_without_items_is_not_kept_and_its_write_not_done_twice,
    the_answers_of_a_project_are_bounded_and_the_oldest_go_first,
);

/// Least that the setting takes.
const BOUND: u64 = 256 * 1024;

fn keyed(call: Call, key: &str) -> Call {
    call.header("idempotency-key", key)
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == Some("true")
}

/// A run of so many new keys, whose answer lists each of them.
fn run(app: &TestApp, name: &str, keys: usize) -> Call {
    let keys: Vec<_> = (0..keys).map(|n| json!({"ref": format!("{name}.{n:0>400}"), "text": "Save"})).collect();
    app.post("/translate").json(&json!({ "keys": keys }))
}

async fn kept_bytes(app: &TestApp) -> i64 {
    const KEPT: &str = "SELECT CAST(COALESCE(SUM(LENGTH(reply)), 0) AS BIGINT) FROM idempotency_keys";
    sql::number(&app.service.store, KEPT).await
}

/// API-COMPLETION 1: an answer over 64 KiB is kept without its `items`.
async fn a_large_answer_is_given_again_without_its_items(store: TestStore) {
    let app = TestApp::on(&store).await;
    let call = keyed(run(&app, "large", 300), "k");
    let first = call.clone().send().await;
    let mut expected: Value = first.json();
    assert!(first.bytes.len() > LONGEST_KEPT, "{}", first.bytes.len());
    assert_eq!((first.status, &expected["itemsTruncated"]), (202, &json!(false)));
    assert_eq!(expected["items"].as_array().unwrap().len(), 300);
    let again = call.send().await;
    (expected["items"], expected["itemsTruncated"]) = (json!([]), json!(true));
    assert_eq!((again.status, replayed(&again), again.json()), (202, true, expected));
    let small = keyed(run(&app, "small", 3), "k-2");
    assert_eq!(small.clone().send().await.bytes, small.send().await.bytes);
    assert!(kept_bytes(&app).await < 2 * 64 * 1024);
}

async fn an_answer_that_is_large_without_items_is_not_kept_and_its_write_not_done_twice(store: TestStore) {
    let app = TestApp::on(&store).await;
    let file = |name: &str| {
        let keys: serde_json::Map<String, Value> =
            (0..200).map(|n| (format!("{name}{n:0>400}"), json!(format!("Text number {n}")))).collect();
        let content = Value::Object(keys).to_string();
        app.post("/sync").json(&json!({"file": {"path": "en.json", "content": content, "encoding": "utf8"}}))
    };
    assert!(file("before").send().await.status < 300);
    let call = keyed(file("after"), "k").header("x-correlation-id", "renaming");
    let first = call.clone().send().await;
    let answer = first.json();
    assert!(first.status < 300 && answer["renamed"].as_array().unwrap().len() == 200, "{}", first.status);
    let again = call.send().await;
    assert_eq!((again.outcome().as_str(), replayed(&again)), ("409 idempotency_conflict", false));
    let message = again.error().message;
    assert!(message.contains("`GET /requests/renaming` shows its outcome"), "{message}");
    assert_eq!(kept_bytes(&app).await, 0);
}

async fn the_answers_of_a_project_are_bounded_and_the_oldest_go_first(store: TestStore) {
    let app =
        TestApp::with(&store, |settings| settings.limits.kept_answer_bytes = BOUND, ConnectionTimeouts::default())
            .await;
    let other = app.other_project("unlimited").await;
    let languages = app.at(http::Method::POST, &format!("/v1/projects/{}/languages", other.id)).key(&other.keys.admin);
    let languages = keyed(languages.json(&json!({"languages": [{"code": "es"}]})), "k-0");
    assert_eq!(languages.clone().send().await.status, 200);
    let bound = i64::try_from(BOUND).unwrap();
    let calls: Vec<Call> = (0..12).map(|n| keyed(run(&app, &format!("run{n}"), 80), &format!("k-{n}"))).collect();
    for (number, call) in calls.iter().enumerate() {
        app.clock.advance(std::time::Duration::from_secs(1));
        let answer = call.clone().send().await;
        assert!(answer.status < 300, "{}", answer.status);
        assert!((30_000..LONGEST_KEPT).contains(&answer.bytes.len()), "{}", answer.bytes.len());
        let kept = kept_bytes(&app).await;
        assert!(kept <= bound + bound / 8 + 64 * 1024, "{kept} after {number}");
        assert!(number < 5 || kept > bound / 2, "{kept} after {number}: no more is forgotten than needed");
    }
    let oldest = calls[0].clone().send().await;
    assert_eq!((oldest.outcome().as_str(), replayed(&oldest)), ("409 idempotency_conflict", false));
    assert!(oldest.error().message.contains("no longer kept"));
    let latest = calls[11].clone().send().await;
    assert!(latest.status < 300 && replayed(&latest), "{}", latest.status);
    assert!(replayed(&languages.send().await), "another project keeps its own");
}

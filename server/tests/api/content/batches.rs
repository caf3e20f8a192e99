//! Many documents in one call.

use http::Method;
use l10n_api_types::content::{DocumentsPushed, PushStatus, PushedDocument};
use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::content::fixtures::{count, named, push, pushed, read, taken};

both_engines!(
    a_batch_makes_changes_and_leaves_documents_by_their_external_ids,
    a_document_of_a_batch_fails_by_itself,
    documents_beyond_the_days_imports_fail_and_the_others_are_written,
    documents_beyond_the_plan_fail_and_count_for_nothing,
    a_malformed_batch_writes_nothing,
    a_batch_is_done_once_for_its_idempotency_key,
);

async fn batch(app: &TestApp, documents: &[Value]) -> DocumentsPushed {
    let answer = push(app, &json!({"documents": documents})).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

fn statuses(pushed: &DocumentsPushed) -> Vec<(&str, PushStatus)> {
    pushed.results.iter().map(|result| (result.external_id.as_str(), result.status)).collect()
}

/// FN-4, LIM-DAY-4
async fn a_batch_makes_changes_and_leaves_documents_by_their_external_ids(store: TestStore) {
    let app = TestApp::on(&store).await;
    let held = pushed(&app, &named("b", "Old.")).await;
    let first = batch(&app, &[named("a", "One."), named("b", "New.")]).await;
    assert_eq!(statuses(&first), [("a", PushStatus::Created), ("b", PushStatus::Updated)]);
    assert_eq!(first.results[1].doc_id.as_ref(), Some(&held.doc_id));
    let now = taken(&read(&app, held.doc_id.as_str(), "").await);
    assert_eq!((now.body.as_deref(), now.segments.changed), (Some("New."), 1));
    let used = || async { app.get("/meta").send().await.json()["remaining"]["imports"].as_u64().unwrap() };
    let before = used().await;
    let again = batch(&app, &[named("a", "One."), named("b", "New.")]).await;
    assert_eq!(statuses(&again), [("a", PushStatus::Unchanged), ("b", PushStatus::Unchanged)]);
    assert_eq!(used().await, before, "what is unchanged counts for nothing");
    assert_eq!(count(&app).await, 2);
}

async fn a_document_of_a_batch_fails_by_itself(store: TestStore) {
    let app = TestApp::on(&store).await;
    pushed(&app, &named("kept", "Kept.")).await;
    let mut foreign = named("foreign", "Fremd.");
    foreign["language"] = "es".into();
    let other_format = json!({"externalId": "kept", "format": "html", "body": "<p>x</p>"});
    let mut titled = named("titled", "Text.");
    titled["title"] = "two\nlines".into();
    let done = batch(&app, &[foreign, named("fine", "Fine."), other_format, titled]).await;
    let [language, fine, format, title] = <&[PushedDocument; 4]>::try_from(done.results.as_slice()).unwrap();
    assert_eq!(fine.status, PushStatus::Created);
    for (result, named) in [(language, "language"), (format, "`format`"), (title, "title")] {
        let error = result.error.as_ref().unwrap();
        assert_eq!((result.status, error.error.as_str()), (PushStatus::Failed, "invalid_argument"), "{error:?}");
        assert!(error.message.contains(named), "{}", error.message);
    }
    assert!(format.doc_id.is_some() && title.doc_id.is_none());
    assert_eq!(count(&app).await, 2);
}

/// LIM-DAY-4
async fn documents_beyond_the_days_imports_fail_and_the_others_are_written(store: TestStore) {
    let app =
        TestApp::with(&store, |settings| settings.limits.imports_per_day = 2, ConnectionTimeouts::default()).await;
    let done = batch(&app, &[named("a", "A."), named("b", "B."), named("c", "C."), named("a2", "D.")]).await;
    let failed = PushStatus::Failed;
    let expected = [("a", PushStatus::Created), ("b", PushStatus::Created), ("c", failed), ("a2", failed)];
    assert_eq!(statuses(&done), expected);
    assert_eq!(done.results[2].error.as_ref().unwrap().error.as_str(), "import_quota_exceeded");
    assert_eq!(count(&app).await, 2);
}

/// ERR-402-3
async fn documents_beyond_the_plan_fail_and_count_for_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let free = app.other_project("free").await;
    let at = |method, path: &str| app.at(method, &format!("/v1/projects/{}{path}", free.id));
    let many: Vec<_> = (0..12).map(|number| named(&format!("d{number:02}"), "Text.")).collect();
    let call = at(Method::POST, "/content").key(&free.keys.write).json(&json!({"documents": many}));
    let done: DocumentsPushed = call.send().await.read();
    assert!(done.results[..10].iter().all(|result| result.status == PushStatus::Created), "{done:?}");
    for result in &done.results[10..] {
        assert_eq!(result.error.as_ref().unwrap().error.as_str(), "plan_limit");
    }
    let meta = at(Method::GET, "/meta").key(&free.keys.read).send().await.json();
    let number = |value: &Value| value.as_u64().unwrap();
    assert_eq!(number(&meta["limits"]["importsPerDay"]) - number(&meta["remaining"]["imports"]), 10);
}

async fn a_malformed_batch_writes_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let good = named("a", "A.");
    let too_many: Vec<_> = (0..101).map(|number| named(&number.to_string(), "A.")).collect();
    for (body, place) in [
        (json!({"documents": []}), "1 to 100"),
        (json!({"documents": too_many}), "1 to 100"),
        (json!({"documents": [good, good]}), "`documents[1].externalId`"),
        (json!({"documents": [{"format": "text", "body": "x"}]}), "`documents[0].externalId`"),
        (json!({"documents": [good], "format": "text"}), "`documents` must be the only field"),
        (
            json!({"documents": [{"externalId": "b", "format": "text", "body": "x", "ifVersionId": "cvr_1"}]}),
            "ifVersionId",
        ),
        (json!({"documents": good}), "documents"),
        (json!({"format": "text"}), "`body`"),
        (json!({"body": "x"}), "`format`"),
    ] {
        let refused = push(&app, &body).send().await;
        assert_eq!(refused.outcome(), "400 invalid_argument", "{body}");
        assert!(refused.error().message.contains(place), "{}", refused.error().message);
    }
    assert_eq!(count(&app).await, 0);
}

async fn a_batch_is_done_once_for_its_idempotency_key(store: TestStore) {
    let app = TestApp::on(&store).await;
    let body = json!({"documents": [named("a", "A."), named("b", "B.")]});
    let call = || push(&app, &body).header("idempotency-key", "batch-1");
    let first = call().send().await;
    let second = call().send().await;
    assert_eq!((first.status, second.status, second.header("idempotency-replayed")), (200, 200, Some("true")));
    assert_eq!(first.json(), second.json());
    assert_eq!(count(&app).await, 2);
}

//! A person approves what an agent's key runs over documents.

use l10n_api_types::operations::Operation;
use l10n_server::both_engines;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::decide;
use l10n_server::testing::{Answer, TestApp, TestStore};
use serde_json::{Value, json};

use crate::content::fixtures::{GUIDE, markdown, pushed};
use crate::content::run_fixtures::{balance, run, run_of};

both_engines!(
    an_agents_key_needs_an_approval_for_a_run_alone,
    an_approval_allows_one_run_of_what_it_names,
    what_an_approval_does_not_name_it_does_not_allow,
    a_document_is_asked_for_in_languages_that_it_is_not_in,
);

async fn approved(app: &TestApp, asked: &Value) -> Operation {
    let answer = app.post("/operations").key(&app.project.keys.agent).json(asked).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let operation: Operation = answer.read();
    let verdict = OperationDecision { is_approved: true, by: "ada", reason: None };
    decide(&app.service, operation.operation_id.as_str(), verdict).await.unwrap()
}

/// A run of the agent's, with an operation.
async fn act(app: &TestApp, id: &str, mut body: Value, operation: &Operation) -> Answer {
    body["operationId"] = json!(operation.operation_id);
    run(app, id, &body).key(&app.project.keys.agent).send().await
}

fn details(answer: &Answer) -> Value {
    assert_eq!(answer.outcome(), "403 authorization_required", "{answer:?}");
    answer.error().details.unwrap().into()
}

/// DRY-7, AUTH-11
async fn an_agents_key_needs_an_approval_for_a_run_alone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let id = document.doc_id.as_str();
    let agent = &app.project.keys.agent;
    let preview = run_of(&run(&app, id, &json!({"dryRun": true})).key(agent).send().await);
    assert!(preview.requires_operation);
    let refused = details(&run(&app, id, &json!({})).key(agent).send().await);
    assert_eq!(refused, json!({"reason": "missing", "kind": "translation", "target": "content", "docId": id}));
    let asks = json!({"kind": "translation", "max_credits": 1, "docId": id});
    assert_eq!(app.post("/operations").key(agent).json(&asks).send().await.status, 201);
    let asks = json!({"kind": "translation", "max_credits": 1, "docId": "doc_none"});
    assert_eq!(app.post("/operations").key(agent).json(&asks).send().await.outcome(), "404 not_found");
}

/// OPS-4
async fn an_approval_allows_one_run_of_what_it_names(store: TestStore) {
    let app = TestApp::on(&store).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let id = document.doc_id.as_str();
    let asks = json!({"kind": "translation", "max_credits": 1, "docId": id, "languages": ["de"]});
    let operation = approved(&app, &asks).await;
    let refused = details(&act(&app, id, json!({}), &operation).await);
    assert_eq!((&refused["reason"], &refused["languages"]), (&json!("languages"), &json!(["fr"])));
    let done = run_of(&act(&app, id, json!({"languages": ["de"]}), &operation).await);
    assert!(done.tracking_token.is_some() && done.requires_operation, "{done:?}");
    let again = details(&act(&app, id, json!({"languages": ["de"]}), &operation).await);
    assert_eq!((&again["reason"], &again["requestId"]), (&json!("used"), &json!(done.request_id)));
    // Without a document it is for any of them.
    let any = approved(&app, &json!({"kind": "translation", "max_credits": 1, "target": "content"})).await;
    run_of(&act(&app, id, json!({}), &any).await);
}

/// OPS-4: another document, strings, more credits than were allowed; nothing of it is written.
async fn what_an_approval_does_not_name_it_does_not_allow(store: TestStore) {
    let dear = |settings: &mut l10n_server::config::Settings| settings.pricing.millicredits_per_character = 1_000;
    let app = TestApp::with(&store, dear, ConnectionTimeouts::default()).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let other = pushed(&app, &markdown("Another one.")).await;
    let (id, before) = (document.doc_id.as_str(), balance(&app).await);
    let of = |more: Value| {
        let mut asked = json!({"kind": "translation", "max_credits": 1});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        asked
    };
    let of_other = approved(&app, &of(json!({"docId": other.doc_id}))).await;
    let refused = details(&act(&app, id, json!({}), &of_other).await);
    assert_eq!((&refused["reason"], &refused["docId"]), (&json!("document"), &json!(other.doc_id)));
    let of_strings = approved(&app, &of(json!({}))).await;
    assert_eq!(details(&act(&app, id, json!({}), &of_strings).await)["reason"], "target");
    let cheap = approved(&app, &of(json!({"docId": id}))).await;
    let refused = details(&act(&app, id, json!({}), &cheap).await);
    assert_eq!((&refused["reason"], &refused["max_credits"]), (&json!("max_credits"), &json!(1)));
    let keys = json!({"keys": [{"ref": "a", "text": "A"}], "operationId": cheap.operation_id});
    let strings = app.post("/translate").key(&app.project.keys.agent).json(&keys).send().await;
    assert_eq!(details(&strings)["reason"], "target");
    assert_eq!(balance(&app).await, before);
    assert_eq!(app.get("/meta").send().await.json()["remaining"]["runs"], 100_000);
}

/// OPS-1: a document may be in another language than the project's base language, and is not translated into its own.
async fn a_document_is_asked_for_in_languages_that_it_is_not_in(store: TestStore) {
    let app = TestApp::on(&store).await;
    let german = pushed(&app, &json!({"format": "text", "language": "de", "body": "Guten Tag."})).await;
    let id = german.doc_id.as_str();
    let asks = |language: &str| json!({"kind": "translation", "max_credits": 1, "docId": id, "languages": [language]});
    let refused = app.post("/operations").key(&app.project.keys.agent).json(&asks("de")).send().await;
    assert_eq!(refused.outcome(), "400 invalid_argument");
    assert!(refused.error().message.contains("`languages[0]`"), "{refused:?}");
    let operation = approved(&app, &asks("en")).await;
    let done = run_of(&act(&app, id, json!({"languages": ["en"]}), &operation).await);
    assert_eq!(done.per_language.iter().map(|price| price.language.as_str()).collect::<Vec<_>>(), ["en"]);
}

//! A document is rolled back.

use l10n_api_types::content::Document;
use l10n_api_types::events::{ContentSummary, DocumentAction};
use l10n_api_types::publish::DocumentsPublished;
use l10n_api_types::{State, VersionId};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::store::pruning;
use l10n_server::testing::decide;
use l10n_server::testing::{Call, TestApp, TestStore};
use serde_json::json;

use crate::content::fixtures::{actions, live, named, published, pushed, put, read, say, taken};

both_engines!(
    a_rollback_makes_an_earlier_version_live,
    a_rollback_is_of_a_published_version_of_the_project,
    a_version_that_is_being_deleted_counts_as_gone,
    rollbacks_have_the_days_restores,
    an_agent_rolls_back_what_a_person_allowed,
);

fn restore(app: &TestApp, version: &str) -> Call {
    app.post(&format!("/versions/{version}/restore"))
}

/// A document with two published versions, `One.` and `Two.`.
async fn twice_published(app: &TestApp) -> (Document, [String; 2]) {
    let document = pushed(app, &named("doc", "One.")).await;
    say(app, &document, 0, "de", "Eins.", State::Translated).await;
    let first = published(app, json!({})).await.documents.remove(0).version_id;
    let changed = taken(&put(app, document.doc_id.as_str(), &json!({"body": "Two."})).send().await);
    say(app, &changed, 0, "de", "Zwei.", State::Translated).await;
    let second = published(app, json!({})).await.documents.remove(0).version_id;
    (document, [first.to_string(), second.to_string()])
}

async fn a_rollback_makes_an_earlier_version_live(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (document, [first, second]) = twice_published(&app).await;
    let answer = restore(&app, &first).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let done: DocumentsPublished = answer.read();
    assert!(done.restored && !done.truncated && done.publish_id.as_str().starts_with("pub_"));
    assert_eq!(done.summary, ContentSummary { docs_published: 1, ..ContentSummary::default() });
    assert_eq!(actions(&done), [DocumentAction::Published]);
    assert_eq!(done.documents[0].version_id.as_str(), first);
    assert_eq!(done.documents[0].external_id.as_deref(), Some("doc"));
    assert_eq!([live(&app, &document, "en").await, live(&app, &document, "de").await], ["One.", "Eins."]);
    let now = taken(&read(&app, document.doc_id.as_str(), "").await);
    assert_eq!(now.live.unwrap().version_id.as_str(), first);
    assert_eq!(now.body.as_deref(), Some("Two."), "the source stays as it is");
    assert_eq!(restore(&app, &first).send().await.outcome(), "409 version_live");
    assert_eq!(restore(&app, &second).send().await.status, 200);
    assert_eq!(actions(&published(&app, json!({})).await), [DocumentAction::Unchanged]);
}

async fn a_rollback_is_of_a_published_version_of_the_project(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (document, [first, second]) = twice_published(&app).await;
    let source = document.source_version_id.to_string();
    for unknown in ["cvr_none", source.as_str()] {
        assert_eq!(restore(&app, unknown).send().await.outcome(), "404 version_not_found", "{unknown}");
    }
    let other = app.other_project("unlimited").await;
    let theirs = format!("/v1/projects/{}/versions/{first}/restore", other.id);
    let theirs = app.at(http::Method::POST, &theirs).key(&other.keys.admin);
    assert_eq!(theirs.send().await.outcome(), "404 version_not_found");
    let dry = restore(&app, &first).json(&json!({"dryRun": true}));
    assert_eq!(dry.send().await.outcome(), "400 invalid_argument");
    assert_eq!(restore(&app, &first).key(&app.project.keys.write).send().await.outcome(), "403 forbidden");
    let now = taken(&read(&app, document.doc_id.as_str(), "").await);
    assert_eq!(now.live.unwrap().version_id.as_str(), second);
}

/// Deletes at most so many files of a version, unless it is live. Returns the oldest version that is left to be deleted.
async fn prune(app: &TestApp, version: &str, most: i64) -> Option<VersionId> {
    let now = app.clock.now().plus_millis(1);
    let mut tx = app.service.store.begin_write().await.unwrap();
    pruning::delete_of_document(&mut tx, &version.into(), most, now).await.unwrap();
    let left = pruning::oldest_of_documents(&mut tx, now, &[]).await.unwrap();
    tx.commit().await.unwrap();
    left.map(|left| left.id)
}

/// ERR-404-3: no version with some of its files becomes live.
async fn a_version_that_is_being_deleted_counts_as_gone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (document, [first, second]) = twice_published(&app).await;
    let left = Some(VersionId::from(first.as_str()));
    assert_eq!(prune(&app, &second, 1).await, left);
    assert_eq!(restore(&app, &second).send().await.outcome(), "409 version_live");
    let live_ones = async || [live(&app, &document, "en").await, live(&app, &document, "de").await];
    assert_eq!(live_ones().await, ["Two.", "Zwei."]);

    assert_eq!(prune(&app, &first, 1).await, left);
    assert_eq!(restore(&app, &first).send().await.outcome(), "404 version_not_found");
    for language in ["en", "de"] {
        let read = read(&app, document.doc_id.as_str(), &format!("?version={first}&language={language}")).await;
        assert_eq!(read.outcome(), "404 version_not_found", "{language}");
    }
    let ask = app.post("/operations").key(&app.project.keys.agent);
    let ask = ask.json(&json!({"kind": "rollback", "versionId": first})).send().await;
    assert_eq!(ask.outcome(), "404 version_not_found");
    assert_eq!(live_ones().await, ["Two.", "Zwei."]);
    assert_eq!(prune(&app, &first, 100).await, None, "it goes with its last files");
}

/// LIM-DAY-2
async fn rollbacks_have_the_days_restores(store: TestStore) {
    let app =
        TestApp::with(&store, |settings| settings.limits.restores_per_day = 2, ConnectionTimeouts::default()).await;
    let (_, [first, second]) = twice_published(&app).await;
    assert_eq!(restore(&app, &second).send().await.outcome(), "409 version_live");
    assert_eq!(restore(&app, &first).send().await.status, 200);
    assert_eq!(restore(&app, &second).send().await.status, 200);
    assert_eq!(restore(&app, &first).send().await.outcome(), "429 rate_limited");
    published(&app, json!({})).await;
}

/// AUTH-11
async fn an_agent_rolls_back_what_a_person_allowed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (document, [first, second]) = twice_published(&app).await;
    let agent = &app.project.keys.agent;
    assert_eq!(restore(&app, &first).key(agent).send().await.outcome(), "403 authorization_required");
    let ask = async |body| app.post("/operations").key(agent).json(&body).send().await;
    let source = document.source_version_id;
    assert_eq!(ask(json!({"kind": "rollback", "versionId": source})).await.outcome(), "404 version_not_found");
    let strings = json!({"kind": "rollback", "versionId": first, "target": "strings"});
    assert_eq!(ask(strings).await.outcome(), "400 invalid_argument");
    let asked = ask(json!({"kind": "rollback", "versionId": first})).await.json();
    assert_eq!((&asked["target"], &asked["versionId"]), (&json!("content"), &json!(first)));
    let id = asked["operationId"].as_str().unwrap();
    decide(&app.service, id, OperationDecision { is_approved: true, by: "ada", reason: None }).await.unwrap();
    let act = |version: &str| restore(&app, version).key(agent).json(&json!({"operationId": id}));
    let refused = act(&second).send().await;
    assert_eq!(refused.json()["details"]["reason"], "version", "{refused:?}");
    assert_eq!(act(&first).send().await.status, 200);
    assert_eq!(act(&second).send().await.json()["details"]["reason"], "used");
}

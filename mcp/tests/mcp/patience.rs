//! A service that says "not now", a person who does not decide, and a key that is revoked meanwhile.

use l10n_client::api::{KeyKind, Scope};
use l10n_server::both_engines;
use l10n_server::ids::ApiKeyText;
use l10n_server::store::api_keys;
use l10n_server::testing::{TestApp, TestStore};
use rmcp::model::ElicitationAction;
use serde_json::json;

use crate::person::{decide_only, pending};
use crate::proxy::{Fault, Proxy};
use crate::support::{Agent, Host, Revision, two_keys};

both_engines!(a_key_that_is_revoked_while_a_person_is_asked_does_nothing_more);

#[tokio::test(flavor = "multi_thread")]
async fn a_short_wait_of_the_service_is_waited_and_a_long_one_is_told() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let proxy = Proxy::to(app.address).await;
    let agent = Agent::through(&proxy, &app, &app.project.keys.admin, Host::plain()).await;
    let call = json!({"keys": two_keys(), "reason": "r"});
    proxy.break_next(2, "POST", "/translate", Fault::Refused(429, 0));
    let run = agent.ok("translate", call).await;
    assert_eq!((&run["status"], proxy.seen()), (&json!("completed"), 3), "{run}");
    proxy.break_next(2, "GET", "/meta", Fault::Refused(503, 0));
    agent.ok("get_project", json!({})).await;
    assert_eq!(proxy.seen(), 3);
    // Nobody waits for longer than 20 seconds: the model is told at once, and does something else meanwhile.
    proxy.break_next(usize::MAX, "GET", "/meta", Fault::Refused(429, 21));
    let told = agent.fails("get_project", json!({})).await;
    assert_eq!(
        (&told["error"], &told["retry_after_seconds"], proxy.seen()),
        (&json!("rate_limited"), &json!(21), 1),
        "{told}"
    );
    assert!(told["what_to_do"].as_str().unwrap().contains("retry_after_seconds"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_service_says_to_translate_from_the_source_again() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let proxy = Proxy::to(app.address).await;
    let agent = Agent::through(&proxy, &app, &app.project.keys.admin, Host::plain()).await;
    let call = json!({"keys": two_keys(), "reason": "r"});
    proxy.break_next(usize::MAX, "POST", "/translate", Fault::Refused(503, 30));
    let told = agent.fails("translate", call.clone()).await;
    assert_eq!((&told["error"], &told["retry_after_seconds"]), (&json!("unavailable"), &json!(30)), "{told}");
    assert!(told["what_to_do"].as_str().unwrap().contains("with the whole input"), "{told}");
    proxy.mend();
    let run = agent.ok("translate", call).await;
    assert_eq!((&run["status"], &run["new"]), (&json!("completed"), &json!(2)), "{run}");
}

/// A client that says "done" without a decision is asked five times; then the model tells the person, and nothing is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_asks_at_most_five_times_and_then_the_model_does() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let proxy = Proxy::to(app.address).await;
    let host = Host::with_links(ElicitationAction::Accept);
    let agent = Agent::through(&proxy, &app, &app.project.keys.agent, host.clone()).await;
    let mut call = json!({"keys": two_keys(), "reason": "r"});
    proxy.break_next(usize::MAX, "GET", "", Fault::Hurried);
    let asked = agent.ok("translate", call.clone()).await;
    assert_eq!((&asked["status"], host.shown().len()), (&json!("needs_approval"), 5), "{asked}");
    let operation = pending(&app.service).await.remove(0);
    assert_eq!(asked["operation_id"], operation.operation_id.as_str());
    assert!(host.shown().iter().all(|(_, url)| *url == operation.approval_url));

    call["operation_id"] = asked["operation_id"].clone();
    decide_only(&app.service, true).await;
    let run = agent.ok("translate", call).await;
    assert_eq!((&run["status"], host.shown().len()), (&json!("completed"), 5), "{run}");
}

async fn a_key_that_is_revoked_while_a_person_is_asked_does_nothing_more(store: TestStore) {
    let app = TestApp::on(&store).await;
    let key = app.key(&app.project, &[Scope::Admin], KeyKind::Agent).await;
    let agent = Agent::with(&app, &key, Revision::New).await;
    let mut call = json!({"keys": two_keys(), "reason": "r"});
    let asked = agent.ok("translate", call.clone()).await;
    decide_only(&app.service, true).await;

    let mut tx = app.service.store.begin_write().await.unwrap();
    let hash = ApiKeyText::parse(&key).unwrap().hash();
    let record = api_keys::find_by_hash(&mut tx, &hash).await.unwrap().unwrap();
    assert!(l10n_server::domain::auth::revoke(&mut tx, &record.id, app.service.clock.now()).await.unwrap());
    tx.commit().await.unwrap();

    call["operation_id"] = asked["operation_id"].clone();
    for (tool, arguments) in [("translate", call.clone()), ("get_project", json!({}))] {
        let failed = agent.fails(tool, arguments).await;
        assert_eq!(failed["error"], "unauthorized", "{failed}");
        assert!(!failed.to_string().contains("eik_"), "{failed}");
    }
    // Another key of the project does not inherit the approval.
    let other = Agent::with(&app, &app.project.keys.agent, Revision::New).await;
    let failed = other.fails("translate", call).await;
    assert!(["approval_canceled", "not_found"].contains(&failed["error"].as_str().unwrap()), "{failed}");
    assert_eq!(other.ok("get_project", json!({})).await["keys"], 0);
}

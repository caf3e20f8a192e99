//! Work that a person has to approve.

use std::time::Duration;

use l10n_client::api::operations::OperationKind;
use l10n_mcp::{Options, Server};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use rmcp::model::{CallToolRequestParams, CallToolResponse, ElicitationAction, InputResponses};
use serde_json::{Value, json};

use crate::person::{decide_only, pending};
use crate::support::{Agent, Host, REVISIONS, Revision, account, two_keys};

both_engines!(
    a_model_tells_the_person_and_calls_again,
    a_client_that_shows_links_asks_the_person_itself,
    equal_calls_share_one_request,
    a_publish_and_a_restore_are_approved_like_a_translation,
);

/// An agent of its own process.
async fn agent(app: &TestApp, revision: Revision, host: Host) -> Agent {
    let options = Options { tools: "all".parse().unwrap(), ..Options::default() };
    Agent::of(Server::new(account(app, &app.project.keys.agent), options), revision, host).await
}

fn with_operation(mut call: Value, id: &Value) -> Value {
    call["operation_id"] = id.clone();
    call
}

/// OPS-1, OPS-4
async fn a_model_tells_the_person_and_calls_again(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (turn, revision) in REVISIONS.into_iter().enumerate() {
        let agent = agent(&app, revision, Host::plain()).await;
        let keys = json!([{"ref": format!("k{turn}"), "text": format!("A text of turn {turn}")}]);
        let call = json!({"keys": keys, "languages": ["de", "fr"], "reason": "for the release"});
        let asked = agent.ok("translate", call.clone()).await;
        assert_eq!(asked["status"], "needs_approval", "{asked}");
        assert_eq!(asked["allows"], "Translate into de, fr for at most 1 credit");
        let operation = pending(&app.service).await.remove(0);
        assert_eq!(asked["approval_url"], operation.approval_url.as_str());
        assert_eq!(operation.note.as_deref(), Some("for the release"));
        assert_eq!(operation.max_credits.unwrap().0, 1);
        assert_eq!(agent.ok("get_project", json!({})).await["keys"], turn, "nothing is written before");

        let call = with_operation(call, &asked["operation_id"]);
        decide_only(&app.service, true).await;
        let run = agent.ok("translate", call.clone()).await;
        assert_eq!((&run["status"], &run["done"]), (&json!("completed"), &json!(2)), "{run}");
        let again = agent.fails("translate", call).await;
        assert_eq!(again["error"], "approval_used", "{again}");
        assert_eq!(again["details"]["tracking_token"], run["tracking_token"], "{again}");
    }
}

/// The client shows the link, and the call goes on when the person has decided.
async fn a_client_that_shows_links_asks_the_person_itself(store: TestStore) {
    let app = TestApp::on(&store).await;
    let host = Host::with_links(ElicitationAction::Accept);
    let agent = agent(&app, Revision::New, host.clone()).await;
    let service = app.service.clone();
    let person = tokio::spawn(async move {
        while pending(&service).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        decide_only(&service, true).await
    });
    let run = agent.ok("translate", json!({"keys": two_keys(), "reason": "greetings"})).await;
    assert_eq!((&run["status"], &run["done"]), (&json!("completed"), &json!(4)), "{run}");
    let operation = person.await.unwrap();
    let message = "Translate 4 texts into all languages for at most 1 credit?".to_owned();
    assert_eq!(host.shown(), [(message, operation.approval_url)]);
    // A client of the older revision is not asked, though it could.
    let old = self::agent(&app, Revision::Old, host.clone()).await;
    let asked = old.ok("publish", json!({"reason": "release"})).await;
    assert_eq!((&asked["status"], host.shown().len()), (&json!("needs_approval"), 1));
}

async fn equal_calls_share_one_request(store: TestStore) {
    let app = TestApp::on(&store).await;
    let agent = agent(&app, Revision::New, Host::plain()).await;
    let one = json!({"keys": two_keys(), "reason": "one reason"});
    let other = json!({"reason": "another reason", "keys": two_keys()});
    let (first, second) = tokio::join!(agent.ok("translate", one.clone()), agent.ok("translate", other));
    assert_eq!(first["operation_id"], second["operation_id"]);
    assert_eq!(agent.ok("translate", one.clone()).await["operation_id"], first["operation_id"]);
    assert_eq!(pending(&app.service).await.len(), 1);
    // Other work is asked for by itself.
    let less = json!({"keys": two_keys(), "languages": ["de"], "reason": "one reason"});
    assert_ne!(agent.ok("translate", less).await["operation_id"], first["operation_id"]);
    // What was approved meanwhile is used by an equal call without the id.
    for operation in pending(&app.service).await {
        let verdict = l10n_server::domain::operations::OperationDecision { is_approved: true, by: "ada", reason: None };
        l10n_server::testing::decide(&app.service, operation.operation_id.as_str(), verdict).await.unwrap();
    }
    assert_eq!(agent.ok("translate", one).await["status"], "completed");
}

async fn a_publish_and_a_restore_are_approved_like_a_translation(store: TestStore) {
    let app = TestApp::on(&store).await;
    let admin = Agent::admin(&app, Revision::New).await;
    admin.ok("translate", json!({"keys": two_keys(), "reason": "r"})).await;
    admin.ok("publish", json!({"label": "first", "reason": "r"})).await;
    admin.ok("translate", json!({"keys": [{"ref": "more", "text": "More"}], "reason": "r"})).await;
    let agent = agent(&app, Revision::New, Host::plain()).await;

    let publish = json!({"languages": ["de"], "reason": "release 2"});
    let asked = agent.ok("publish", publish.clone()).await;
    let allows = "Publish the texts in de, and take other languages out of what is live";
    assert_eq!((&asked["status"], &asked["allows"]), (&json!("needs_approval"), &json!(allows)));
    assert_eq!(decide_only(&app.service, true).await.kind, OperationKind::Publish);
    let publish = with_operation(publish, &asked["operation_id"]);
    assert_eq!(agent.ok("publish", publish.clone()).await["status"], "published");
    assert_eq!(agent.ok("publish", publish).await["already_live"], true, "a repeated call publishes nothing");

    let versions = agent.ok("restore_version", json!({})).await;
    let first = versions["versions"][1]["version_id"].clone();
    let restore = json!({"version_id": first, "reason": "go back"});
    let asked = agent.ok("restore_version", restore.clone()).await;
    assert_eq!(asked["status"], "needs_approval");
    decide_only(&app.service, true).await;
    let restored = agent.ok("restore_version", with_operation(restore.clone(), &asked["operation_id"])).await;
    assert_eq!(restored["status"], "restored");
    assert_eq!(agent.ok("restore_version", restore).await["already_live"], true);

    let document = json!({"external_id": "a.md", "content": "Text", "reason": "docs"});
    let asked = agent.ok("translate_document", document.clone()).await;
    assert_eq!(asked["status"], "needs_approval");
    decide_only(&app.service, true).await;
    let run = agent.ok("translate_document", with_operation(document, &asked["operation_id"])).await;
    assert_eq!(run["status"], "completed", "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denial_is_told_with_its_reason_and_nothing_is_done() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = agent(&app, Revision::New, Host::plain()).await;
    let call = json!({"keys": two_keys(), "reason": "r"});
    let asked = agent.ok("translate", call.clone()).await;
    decide_only(&app.service, false).await;
    let denied = agent.fails("translate", with_operation(call, &asked["operation_id"])).await;
    assert_eq!(
        (&denied["error"], &denied["details"]["reason"]),
        (&json!("approval_denied"), &json!("not on a Friday"))
    );
    assert_eq!(agent.ok("get_project", json!({})).await["keys"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_expired_is_told_and_a_call_without_its_id_asks_anew() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = agent(&app, Revision::New, Host::plain()).await;
    let call = json!({"keys": two_keys(), "reason": "r"});
    let asked = agent.ok("translate", call.clone()).await;
    decide_only(&app.service, true).await;
    app.clock.advance(Duration::from_secs(3_700));
    let expired = agent.fails("translate", with_operation(call.clone(), &asked["operation_id"])).await;
    assert_eq!(expired["error"], "approval_expired", "{expired}");
    let anew = agent.ok("translate", call).await;
    assert_eq!(anew["status"], "needs_approval");
    assert_ne!(anew["operation_id"], asked["operation_id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_arguments_than_the_approved_ones_are_refused_in_words() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = agent(&app, Revision::New, Host::plain()).await;
    let asked = agent.ok("translate", json!({"keys": two_keys(), "languages": ["de"], "reason": "r"})).await;
    decide_only(&app.service, true).await;
    let id = &asked["operation_id"];
    let more = agent
        .fails("translate", with_operation(json!({"keys": two_keys(), "languages": ["fr"], "reason": "r"}), id))
        .await;
    assert_eq!(
        (&more["error"], &more["details"]["reason"]),
        (&json!("authorization_required"), &json!("languages")),
        "{more}"
    );
    let other = agent.fails("publish", with_operation(json!({"reason": "r", "force": true}), id)).await;
    assert_eq!(other["details"]["reason"], "kind", "{other}");
    let unknown = agent.fails("publish", json!({"reason": "r", "operation_id": "op_none"})).await;
    assert_eq!(unknown["error"], "not_found", "{unknown}");
}

/// Nobody is asked for what cannot be.
#[tokio::test(flavor = "multi_thread")]
async fn work_that_would_be_refused_in_any_case_is_not_asked_for() {
    let expensive =
        |settings: &mut l10n_server::config::Settings| settings.pricing.millicredits_per_character = 1_000_000_000;
    let store = TestStore::sqlite().await;
    let app = TestApp::with(&store, expensive, l10n_server::http::ConnectionTimeouts::default()).await;
    let agent = agent(&app, Revision::New, Host::plain()).await;
    let failed = agent.fails("translate", json!({"keys": two_keys(), "reason": "r"})).await;
    assert_eq!(failed["error"], "insufficient_credits");
    assert!(pending(&app.service).await.is_empty());
}

/// The person closes the link, but another one may still decide.
#[tokio::test(flavor = "multi_thread")]
async fn who_declines_in_the_client_does_nothing_and_the_request_stays_open() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    for action in [ElicitationAction::Decline, ElicitationAction::Cancel] {
        let host = Host::with_links(action);
        let agent = agent(&app, Revision::New, host.clone()).await;
        let before = pending(&app.service).await.len();
        let declined = agent.ok("translate", json!({"keys": two_keys(), "reason": "r"})).await;
        assert_eq!((&declined["status"], host.shown().len()), (&json!("declined"), 1), "{declined}");
        assert_eq!(pending(&app.service).await.len(), before + 1);
    }
}

/// A state is of one key and one call; everything else about it is refused alike.
#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_is_changed_or_anothers_is_refused() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = agent(&app, Revision::New, Host::with_links(ElicitationAction::Accept)).await;
    let call = |keys: Value| {
        let arguments = json!({"keys": keys, "reason": "r"});
        CallToolRequestParams::new("translate").with_arguments(arguments.as_object().unwrap().clone())
    };
    let CallToolResponse::InputRequired(asked) = agent.client.call_tool_once(call(two_keys())).await.unwrap() else {
        panic!("it asks")
    };
    let state = asked.request_state.unwrap();
    let refused = async |agent: &Agent, params: CallToolRequestParams| {
        let answers: InputResponses = [("approval".to_owned(), json!({"action": "accept"}))].into();
        match agent.client.call_tool_once(params.with_input_responses(answers)).await {
            Err(rmcp::service::ServiceError::McpError(error)) => (error.code.0, error.message.into_owned()),
            other => panic!("{other:?}"),
        }
    };
    let message =
        "translate: the request state has expired or belongs to another call; call again without it".to_owned();
    let mut changed = state.clone();
    changed.insert(changed.len() / 2, 'A');
    for params in [
        call(two_keys()).with_request_state(changed),
        call(two_keys()).with_request_state("garbage"),
        call(json!([{"ref": "other", "text": "Other"}])).with_request_state(state.clone()),
    ] {
        assert_eq!(refused(&agent, params).await, (-32602, message.clone()));
    }
    let other = self::agent(&app, Revision::New, Host::plain()).await;
    assert_eq!(refused(&other, call(two_keys()).with_request_state(state)).await.0, -32602);
}

//! Keys that do not do, services that do not answer, and what the model is told.

use std::time::Duration;

use l10n_client::Client;
use l10n_mcp::{Account, Options, ProjectName, Server};
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;
use tokio::io::AsyncReadExt as _;

use crate::support::{Agent, Host, REVISIONS, Revision, two_keys};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_does_not_do_is_told_in_words_and_never_shown() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let wrong = format!("eik_{}", "a".repeat(49));
    for revision in REVISIONS {
        for (key, code) in [
            (&app.project.keys.revoked, "unauthorized"),
            (&wrong, "unauthorized"),
            (&app.project.keys.read, "forbidden"),
        ] {
            let agent = Agent::with(&app, key, revision).await;
            let failed = agent.fails("translate", json!({"keys": two_keys(), "reason": "r"})).await;
            assert_eq!(failed["error"], code, "{failed}");
            assert!(failed["request_id"].is_string(), "{failed}");
            assert!(!failed.to_string().contains(key.as_str()), "{failed}");
        }
    }
    // A key without scope `read` still learns its rights.
    let agent = Agent::with(&app, &app.project.keys.capture, Revision::New).await;
    assert_eq!(agent.ok("get_project", json!({})).await["key"]["scopes"], json!(["capture"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn money_that_does_not_do_is_said_in_credits() {
    let store = TestStore::sqlite().await;
    let expensive = |settings: &mut l10n_server::config::Settings| {
        settings.pricing.millicredits_per_character = 1_000_000_000;
    };
    let app = TestApp::with(&store, expensive, ConnectionTimeouts::default()).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let failed = agent.fails("translate", json!({"keys": two_keys(), "reason": "r"})).await;
    assert_eq!(
        (&failed["error"], &failed["details"]["available_credits"]),
        (&json!("insufficient_credits"), &json!(1_000_000.0))
    );
    let price = agent.ok("preview_translation", json!({"keys": two_keys()})).await;
    assert_eq!(price["would_fail"]["error"], "insufficient_credits");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_budget_that_is_used_up_is_told_with_the_wait() {
    let store = TestStore::sqlite().await;
    let app =
        TestApp::with(&store, |settings| settings.limits.requests_per_minute = 5, ConnectionTimeouts::default()).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let mut last = json!(null);
    for _ in 0..8 {
        let result = agent.call("get_key", json!({"ref": "none"})).await.unwrap();
        last = result.structured_content.unwrap();
        if last["error"] == "rate_limited" {
            break;
        }
        assert_eq!(last["error"], "key_not_found");
    }
    assert_eq!(last["error"], "rate_limited", "{last}");
    assert_eq!(last["retry_after_seconds"], 60);
}

/// A server at an address where this happens to each connection.
async fn agent_at(address: std::net::SocketAddr) -> Agent {
    let client = Client::builder(format!("http://{address}/v1"))
        .api_key("eik_abc")
        .request_timeout(Duration::from_secs(2))
        .total_timeout(Duration::from_secs(2))
        .build()
        .unwrap();
    let account = Account::new(client, ProjectName::Id("prj_1".into()), "eik_abc");
    Agent::of(Server::new(account, Options::default()), Revision::New, Host::plain()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_down_is_told_and_the_tools_are_still_listed() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let agent = agent_at(address).await;
    let tools = agent.client.list_tools(None).await.unwrap();
    assert_eq!((tools.tools.len(), tools.ttl_ms), (14, Some(0)));
    let failed = agent.fails("get_project", json!({})).await;
    assert_eq!(failed["error"], "unreachable", "{failed}");
}

/// The connection breaks after the request was read: whether it was carried out is open, and said to be.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_answer_is_lost_is_not_told_as_undone() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let agent = agent_at(listener.local_addr().unwrap()).await;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = [0; 1024];
            let _ = stream.read(&mut bytes).await;
        }
    });
    let failed = agent.fails("publish", json!({"force": true, "reason": "r"})).await;
    assert_eq!(
        (&failed["error"], &failed["details"]["outcome"]),
        (&json!("connection_lost"), &json!("unknown")),
        "{failed}"
    );
    assert!(failed["what_to_do"].as_str().unwrap().contains("before you repeat it"), "{failed}");
    let failed = agent.fails("translate", json!({"keys": two_keys(), "reason": "r"})).await;
    assert!(failed["what_to_do"].as_str().unwrap().contains("with the whole input"), "{failed}");
}

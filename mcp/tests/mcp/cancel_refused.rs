//! A client that no longer wants a write while the write waits, because the service has refused it for now.

use std::time::Duration;

use l10n_mcp::{HttpOptions, Options, Server};
use l10n_server::testing::{TestApp, TestStore};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};

use crate::http::Http;
use crate::proxy::{Fault, Proxy};
use crate::support::{Agent, Host, REVISIONS, Revision, account_at};

/// The write that the service refuses.
const WRITE: (&str, &str) = ("POST", "/translate");

fn arguments(name: &str) -> Value {
    json!({"keys": [{"ref": name, "text": format!("The text of {name}")}], "reason": "r"})
}

/// Waits until the service has refused the write.
async fn refused(proxy: &Proxy) {
    while proxy.seen() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn canceled_by_notification(proxy: &Proxy, app: &TestApp, revision: Revision, name: &str) {
    let account = account_at(app, proxy.address, &app.project.keys.admin, 2);
    let agent = Agent::of(Server::new(account, Options::default()), revision, Host::plain()).await;
    let params = CallToolRequestParams::new("translate").with_arguments(arguments(name).as_object().unwrap().clone());
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let call = agent.client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    refused(proxy).await;
    call.cancel(Some("the person pressed Escape".into())).await.unwrap();
    nothing_was_sent(proxy, app, name, &agent).await;
}

async fn canceled_by_closing(proxy: &Proxy, app: &TestApp, revision: Revision, name: &str) {
    let key = &app.project.keys.admin;
    let http = Http::with(account_at(app, proxy.address, key, 2), HttpOptions::default()).await;
    let params = json!({"name": "translate", "arguments": arguments(name)});
    tokio::select! {
        answer = http.send(revision, key, "tools/call", params, &[]) => panic!("{answer:?}"),
        () = refused(proxy) => {}
    }
    let account = account_at(app, proxy.address, key, 2);
    let agent = Agent::of(Server::new(account, Options::default()), revision, Host::plain()).await;
    nothing_was_sent(proxy, app, name, &agent).await;
}

/// Another call waits for longer than the canceled one would have; when it is done, nobody else has sent anything.
async fn nothing_was_sent(proxy: &Proxy, app: &TestApp, name: &str, agent: &Agent) {
    proxy.break_next(1, WRITE.0, WRITE.1, Fault::Refused(429, 3));
    let run = agent.ok("translate", arguments(&format!("after.{name}"))).await;
    assert_eq!((&run["status"], proxy.seen()), (&json!("completed"), 2), "{name}: {run}");
    let canceled = app.get(&format!("/translations/{name}")).send().await;
    assert_eq!(canceled.status, 404, "{name} was registered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_waits_out_a_429_is_not_sent_once_it_is_canceled() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    for revision in REVISIONS {
        for is_closed in [false, true] {
            // A connection of an earlier turn cannot take part in this one.
            let proxy = Proxy::to(app.address).await;
            let name = format!("{revision:?}.{is_closed}");
            proxy.break_next(1, WRITE.0, WRITE.1, Fault::Refused(429, 1));
            if is_closed {
                canceled_by_closing(&proxy, &app, revision, &name).await;
            } else {
                canceled_by_notification(&proxy, &app, revision, &name).await;
            }
        }
    }
}

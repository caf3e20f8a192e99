//! Work by tools, with the key of each request.

use l10n_server::both_engines;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::testing::{TestApp, TestStore, decide};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::support::{Program, app, result, two_keys};

both_engines!(
    each_request_works_in_the_project_of_its_own_key,
    an_approval_asked_for_at_one_process_is_taken_up_by_another,
    budgets_and_refusals_are_those_of_the_api,
);

async fn each_request_works_in_the_project_of_its_own_key(store: TestStore) {
    let app = app(&store, |_| {}).await;
    let other = app.other_project("unlimited").await;
    let (program, keys) = (Program::of(&app), &app.project.keys);
    for (key, tools) in [(&keys.admin, 14), (&keys.capture, 2), (&other.keys.admin, 14)] {
        let list = program.result(key, "tools/list", json!({})).await;
        assert_eq!(list["tools"].as_array().unwrap().len(), tools, "{list}");
        let list = result(program.old_request(key, "tools/list", json!({})).send().await.unwrap()).await;
        assert_eq!(list["tools"].as_array().unwrap().len(), tools, "{list}");
    }
    let run = program.call(&keys.admin, "translate", two_keys()).await;
    assert_eq!(run["structuredContent"]["status"], "completed", "{run}");
    for (key, found) in [(&keys.read, 2), (&other.keys.read, 0)] {
        let list = program.call(key, "find_keys", json!({})).await;
        assert_eq!(list["structuredContent"]["keys"].as_array().unwrap().len(), found, "{list}");
    }
    // The write has its receipt, as every write of the API has.
    let list = app.get("/translations?limit=5").send().await;
    assert_eq!(list.status, 200);
}

async fn an_approval_asked_for_at_one_process_is_taken_up_by_another(store: TestStore) {
    let one = app(&store, |_| {}).await;
    let two = one.beside(&store).await;
    let key = &one.project.keys.agent;
    let mut params = json!({"name": "translate", "arguments": two_keys()});
    let asked = Program::of(&one).result(key, "tools/call", params.clone()).await;
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let url = asked["inputRequests"]["approval"]["params"]["url"].as_str().unwrap();
    let id = url.rsplit('/').next().unwrap();
    decide(&one.service, id, OperationDecision { is_approved: true, by: "ada", reason: None }).await.unwrap();
    params["requestState"] = asked["requestState"].clone();
    params["inputResponses"] = json!({"approval": {"action": "accept"}});
    let other = Program::of(&two).request(&one.project.keys.admin, "tools/call", params.clone());
    assert!(other.send().await.unwrap().text().await.unwrap().contains("belongs to another call"));
    let run = Program::of(&two).result(key, "tools/call", params).await;
    assert_eq!(run["structuredContent"]["status"], "completed", "{run}");
}

/// A tool tells in the API's words what the API refuses.
async fn budgets_and_refusals_are_those_of_the_api(store: TestStore) {
    let app = app(&store, |settings| settings.limits.requests_per_minute = 4).await;
    let program = Program::of(&app);
    let forbidden = program.call(&app.project.keys.read, "translate", two_keys()).await;
    assert_eq!(forbidden["structuredContent"]["error"], "forbidden", "{forbidden}");
    let refused = loop {
        let answer = app.get("/credential").send().await;
        if answer.status == 429 {
            break answer;
        }
    };
    let told = program.call(&app.project.keys.admin, "find_keys", json!({})).await;
    assert_eq!(told["isError"], true, "{told}");
    let (told, refused) = (&told["structuredContent"], body(&refused.bytes));
    assert_eq!((&told["error"], &told["message"]), (&refused["error"], &refused["message"]));
    assert_eq!(told["retry_after_seconds"], 60);
    // Requests that make no call are bounded as well.
    let last = loop {
        let answer = program.request(&app.project.keys.admin, "tools/list", json!({})).send().await.unwrap();
        if answer.status() != 200 {
            break answer;
        }
    };
    assert_eq!((last.status().as_u16(), &last.headers()["retry-after"]), (429, &"60".parse().unwrap()));
    assert_eq!(body(&last.bytes().await.unwrap())["error"], "rate_limited");
    // Nobody else has less for it.
    other_is_served(&app).await;
}

async fn other_is_served(app: &TestApp) {
    let other = app.other_project("unlimited").await;
    let project = Program::of(app).call(&other.keys.admin, "find_keys", json!({})).await;
    assert_eq!(project["isError"], false, "{project}");
}

fn body(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

/// HTTP/2 has no `Host`: the host stands in the URI. Embedders may serve the router that way.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_over_http_2_is_served_alike() {
    let store = TestStore::sqlite().await;
    let app = app(&store, |_| {}).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    for (host, status) in [("localhost", 200), ("evil.example.com", 403)] {
        let request = http::Request::post(format!("https://{host}/mcp"))
            .version(http::Version::HTTP_2)
            .header("authorization", format!("Bearer {}", app.project.keys.admin))
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .header("mcp-protocol-version", "2025-11-25")
            .body(axum::body::Body::from(body))
            .unwrap();
        let answer = l10n_server::app::router(app.service.clone()).oneshot(request).await.unwrap();
        assert_eq!(answer.status(), status, "{host}");
    }
}

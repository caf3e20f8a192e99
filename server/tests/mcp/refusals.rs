//! Requests that are refused before any tool is called.

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::support::{Program, app};

both_engines!(keys_are_judged_and_failures_counted_as_by_the_api);

/// Nobody gets around the limit of failed authentications here, and nothing is read of a stranger's body.
async fn keys_are_judged_and_failures_counted_as_by_the_api(store: TestStore) {
    let app = app(&store, |settings| settings.limits.failed_authentications_per_minute = 7).await;
    let (program, keys) = (Program::of(&app), &app.project.keys);
    for key in ["", "sesame", "eik_", &keys.revoked, &keys.admin[..keys.admin.len() - 1]] {
        let answer = program.request(key, "tools/list", json!({})).send().await.unwrap();
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["www-authenticate"]),
            (401, &"Bearer".parse().unwrap())
        );
        assert!(answer.headers().contains_key("x-correlation-id"));
    }
    assert_eq!(program.post("", "x".repeat(10_000_000)).send().await.unwrap().status(), 401);
    assert_eq!(app.get("/credential").key(&keys.revoked).send().await.status, 401);
    let spent = program.request(&keys.revoked, "tools/list", json!({})).send().await.unwrap();
    assert_eq!(spent.status(), 429);
    assert_eq!(app.get("/credential").key(&keys.revoked).send().await.status, 429);
    // A valid key passes all the same.
    let list = program.result(&keys.admin, "tools/list", json!({})).await;
    assert_eq!(list["tools"].as_array().unwrap().len(), 14);
}

/// Off by default: the path is as unknown as any other.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_offer_the_tools_knows_no_such_path() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let key = &app.project.keys.admin;
    for method in [http::Method::POST, http::Method::GET, http::Method::OPTIONS] {
        let answer = app.at(method.clone(), "/mcp").key(key).header("x-correlation-id", "a").send().await;
        let unknown = app.at(method, "/nothing").key(key).header("x-correlation-id", "a").send().await;
        assert_eq!((answer.status, &answer.bytes), (404, &unknown.bytes));
    }
}

/// A page must not call on behalf of whoever looks at it, unless the settings name its origin.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_and_other_hosts_are_refused() {
    let store = TestStore::sqlite().await;
    let app = app(&store, |settings| settings.mcp.allowed_origins = vec!["https://tools.example.com".into()]).await;
    let (program, key) = (Program::of(&app), &app.project.keys.admin);
    let own = format!("http://{}", app.address);
    for (name, value, passes) in [
        ("origin", "https://tools.example.com", true),
        ("origin", own.as_str(), true),
        ("origin", "https://tools.example.com:8443", false),
        ("origin", "http://tools.example.com", false),
        ("origin", "http://127.0.0.1:1", false),
        ("origin", "https://evil.example.com", false),
        ("origin", "null", false),
        ("host", "evil.example.com", false),
    ] {
        let answer = program.request(key, "tools/list", json!({})).header(name, value).send().await.unwrap();
        assert_eq!(answer.status(), if passes { 200 } else { 403 }, "{name}: {value}");
        let may_read = answer.headers().get("access-control-allow-origin").is_some();
        assert_eq!(may_read, value == "https://tools.example.com", "{name}: {value}");
    }
    let ask = |origin: &str| program.client.request(reqwest::Method::OPTIONS, program.url()).header("origin", origin);
    let answer = ask("https://tools.example.com").send().await.unwrap();
    assert_eq!(answer.status(), 204);
    let headers = answer.headers()["access-control-allow-headers"].to_str().unwrap();
    assert!(headers.contains("authorization") && headers.contains("mcp-method"), "{headers}");
    assert_eq!(ask("https://evil.example.com").send().await.unwrap().status(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn large_and_malformed_bodies_are_refused_and_the_next_request_is_served() {
    let store = TestStore::sqlite().await;
    let app = app(&store, |_| {}).await;
    let (program, key) = (Program::of(&app), &app.project.keys.admin);
    let many = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":[{}0]}}"#, r#"{"a":0},"#.repeat(60_000));
    for (body, statuses) in [
        ("x".repeat(10_000_000), [413, 413]),
        (many, [400, 400]),
        ("[".repeat(40_000), [400, 415]),
        ("garbage".into(), [400, 415]),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/ca"#.into(), [400, 415]),
        (String::new(), [400, 415]),
    ] {
        let beginning: String = body.chars().take(50).collect();
        let answer = program.post(key, body).send().await.unwrap();
        assert!(statuses.contains(&answer.status().as_u16()), "{beginning}: {}", answer.status());
    }
    let get = program.client.get(program.url()).bearer_auth(key).send().await.unwrap();
    assert_eq!(get.status(), 405);
    let list = program.result(key, "tools/list", json!({})).await;
    assert_eq!(list["tools"].as_array().unwrap().len(), 14);
}

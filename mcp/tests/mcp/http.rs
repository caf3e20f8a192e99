//! The protocol over HTTP: each request by itself, with a key of its own.

use std::net::SocketAddr;

use l10n_client::reqwest::{self, Response};
use l10n_mcp::{Account, HttpOptions, Options};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::person::decide_only;
use crate::support::{REVISIONS, Revision, account, two_keys};

both_engines!(every_request_stands_by_itself_with_its_own_key, an_approval_spans_requests);

/// A server over HTTP.
pub(crate) struct Http {
    address: SocketAddr,
    client: reqwest::Client,
}

impl Http {
    pub(crate) async fn of(app: &TestApp, http: HttpOptions) -> Self {
        Self::with(account(app, &app.project.keys.admin), http).await
    }

    pub(crate) async fn with(account: Account, http: HttpOptions) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(l10n_mcp::serve_http(listener, account, Options::default(), http, std::future::pending()));
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self { address, client: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    /// A request, with further headers.
    pub(crate) async fn send(
        &self,
        revision: Revision,
        key: &str,
        method: &str,
        params: Value,
        more: &[(&str, &str)],
    ) -> Response {
        let mut params = params;
        let url = format!("http://{}/mcp", self.address);
        let mut request = self.client.post(url).header("accept", "application/json, text/event-stream");
        request = request.header("content-type", "application/json");
        if !key.is_empty() {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        if revision == Revision::New {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
            params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "test", "version": "1"});
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"url": {}}});
            request = request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                request = request.header("mcp-name", name);
            }
        } else {
            request = request.header("mcp-protocol-version", "2025-11-25");
        }
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        request.body(body).send().await.unwrap()
    }

    pub(crate) async fn answer(&self, revision: Revision, key: &str, method: &str, params: Value) -> Value {
        let answer = self.send(revision, key, method, params, &[]).await;
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    async fn call(&self, revision: Revision, key: &str, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.answer(revision, key, "tools/call", params).await["result"].clone()
    }
}

/// No session and no key is kept from one request to the next.
async fn every_request_stands_by_itself_with_its_own_key(store: TestStore) {
    let app = TestApp::on(&store).await;
    let http = Http::of(&app, HttpOptions::default()).await;
    let keys = &app.project.keys;
    for revision in REVISIONS {
        for (key, tools) in [(&keys.admin, 14), (&keys.capture, 2), (&keys.admin, 14)] {
            let list = http.answer(revision, key, "tools/list", json!({})).await;
            assert_eq!(list["result"]["tools"].as_array().unwrap().len(), tools, "{list}");
        }
        let project = http.call(revision, &keys.read, "get_project", json!({})).await;
        assert_eq!(project["structuredContent"]["key"]["scopes"], json!(["read"]), "{project}");
        let refused = http.call(revision, &keys.read, "translate", json!({"keys": two_keys(), "reason": "r"})).await;
        assert_eq!((&refused["isError"], &refused["structuredContent"]["error"]), (&json!(true), &json!("forbidden")));
        let run = http.call(revision, &keys.admin, "translate", json!({"keys": two_keys(), "reason": "r"})).await;
        assert_eq!(run["structuredContent"]["status"], "completed", "{run}");
        let revoked = http.call(revision, &keys.revoked, "get_project", json!({})).await;
        assert_eq!(revoked["structuredContent"]["error"], "unauthorized");
    }
    // Files of the machine are nobody's here.
    let params = json!({"name": "preview_translation", "arguments": {"file_path": "Cargo.toml"}});
    let refused = http.send(Revision::New, &keys.admin, "tools/call", params, &[]).await.text().await.unwrap();
    assert!(refused.contains("-32602") && refused.contains("reads no files"), "{refused}");
}

/// The state of a request that waits for a person is good for the next request with the same key, and for no other.
async fn an_approval_spans_requests(store: TestStore) {
    let app = TestApp::on(&store).await;
    let http = Http::of(&app, HttpOptions::default()).await;
    let key = &app.project.keys.agent;
    let mut params = json!({"name": "translate", "arguments": {"keys": two_keys(), "reason": "r"}});
    let asked = http.answer(Revision::New, key, "tools/call", params.clone()).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let question = &asked["inputRequests"]["approval"];
    let operation = decide_only(&app.service, true).await;
    assert_eq!((&question["method"], &question["params"]["mode"]), (&json!("elicitation/create"), &json!("url")));
    assert_eq!(question["params"]["url"], operation.approval_url.as_str());
    params["requestState"] = asked["requestState"].clone();
    params["inputResponses"] = json!({"approval": {"action": "accept"}});
    let other = http.send(Revision::New, &app.project.keys.admin, "tools/call", params.clone(), &[]).await;
    assert!(other.text().await.unwrap().contains("belongs to another call"));
    let run = http.answer(Revision::New, key, "tools/call", params).await;
    assert_eq!(run["result"]["structuredContent"]["status"], "completed", "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_a_key_is_answered_401() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let http = Http::of(&app, HttpOptions::default()).await;
    for revision in REVISIONS {
        for key in ["", "sesame", "eik_", "eik_a b"] {
            let answer = http.send(revision, key, "tools/list", json!({}), &[]).await;
            assert_eq!(answer.status(), 401, "{key}");
            assert_eq!(answer.headers()["www-authenticate"], "Bearer");
        }
    }
}

/// A page of another origin, or a name that leads here, must not reach a server on this machine.
#[tokio::test(flavor = "multi_thread")]
async fn foreign_hosts_and_origins_are_refused() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let key = &app.project.keys.admin;
    let strict = Http::of(&app, HttpOptions::default()).await;
    let open = HttpOptions {
        allowed_hosts: vec!["mcp.example.com".into()],
        allowed_origins: vec!["https://app.example.com:443".into()],
    };
    let open = Http::of(&app, open).await;
    for (headers, passes) in [
        (("host", "mcp.example.com"), true),
        (("origin", "https://app.example.com"), true),
        (("origin", "https://evil.example.com"), false),
        (("origin", "null"), false),
        (("host", "evil.example.com"), false),
    ] {
        let status = open.send(Revision::New, key, "tools/list", json!({}), &[headers]).await.status();
        assert_eq!(status, if passes { 200 } else { 403 }, "{headers:?}");
        let status = strict.send(Revision::New, key, "tools/list", json!({}), &[headers]).await.status();
        assert_eq!(status, 403, "{headers:?}");
    }
    let server = format!("http://{}", strict.address);
    for origin in [server.as_str(), "http://localhost:6274", "http://[::1]"] {
        let status = strict.send(Revision::New, key, "tools/list", json!({}), &[("origin", origin)]).await.status();
        assert_eq!(status, 200, "{origin} is a page of this machine");
    }
    for origin in ["http://localhost.example.com", "http://127.0.0.1.example.com:80", "file://"] {
        let status = strict.send(Revision::New, key, "tools/list", json!({}), &[("origin", origin)]).await.status();
        assert_eq!(status, 403, "{origin}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_paths_methods_and_large_bodies_are_refused() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let http = Http::of(&app, HttpOptions::default()).await;
    let bearer = format!("Bearer {}", app.project.keys.admin);
    let at = |path: &str| format!("http://{}{path}", http.address);
    let get = http.client.get(at("/mcp")).header("authorization", &bearer).send().await.unwrap();
    assert_eq!(get.status(), 405);
    let elsewhere = http.client.post(at("/")).header("authorization", &bearer).send().await.unwrap();
    assert_eq!(elsewhere.status(), 404);
    for (body, statuses) in [("x".repeat(5_000_000), [413, 413]), ("garbage".into(), [400, 415])] {
        let request = http.client.post(at("/mcp")).header("authorization", &bearer).body(body);
        let request = request.header("accept", "application/json, text/event-stream");
        let answer = request.header("content-type", "application/json").send().await.unwrap();
        assert!(statuses.contains(&answer.status().as_u16()), "{}", answer.status());
    }
}

/// An answer that comes before the end of a body is not lost to a client that sends all of it first.
#[tokio::test(flavor = "multi_thread")]
async fn who_sends_all_of_a_large_body_reads_the_answer() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let http = Http::of(&app, HttpOptions::default()).await;
    let body = vec![b'x'; 5_000_000];
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\naccept: application/json, text/event-stream\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        http.address,
        app.project.keys.admin,
        body.len()
    );
    let mut stream = TcpStream::connect(http.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&body).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 413 "), "{}", String::from_utf8_lossy(&answer));
}

/// With a progress token, the answer is a stream: the progress, then the result.
#[tokio::test(flavor = "multi_thread")]
async fn progress_is_told_where_it_is_asked_for() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let http = Http::of(&app, HttpOptions::default()).await;
    let arguments = json!({"keys": two_keys(), "reason": "r"});
    let params = json!({"name": "translate", "arguments": arguments, "_meta": {"progressToken": "p1"}});
    let answer = http.send(Revision::New, &app.project.keys.admin, "tools/call", params, &[]).await;
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let text = answer.text().await.unwrap();
    let messages: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter_map(|data| serde_json::from_str(data.trim()).ok())
        .collect();
    let (last, progress) = messages.split_last().unwrap();
    assert!(progress.iter().all(|message| message["params"]["progressToken"] == "p1"), "{text}");
    assert_eq!(
        (progress[0]["method"].as_str(), &progress[0]["params"]["total"]),
        (Some("notifications/progress"), &json!(4.0))
    );
    assert_eq!(last["result"]["structuredContent"]["status"], "completed", "{text}");
}

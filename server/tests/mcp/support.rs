//! Requests of an agent's program.

use std::net::SocketAddr;
use std::sync::Arc;

use l10n_server::config::Settings;
use l10n_server::engines::Pseudo;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

/// A server that offers the tools.
pub(crate) async fn app(store: &TestStore, change: impl FnOnce(&mut Settings)) -> TestApp {
    let change = |settings: &mut Settings| {
        settings.mcp.enabled = true;
        change(settings);
    };
    TestApp::with(store, change, ConnectionTimeouts::default()).await
}

/// A server that offers the tools and never translates.
pub(crate) async fn idle(store: &TestStore) -> TestApp {
    TestApp::idle(store, |settings| settings.mcp.enabled = true, Arc::new(Pseudo)).await
}

/// An agent's program.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) address: SocketAddr,
    pub(crate) client: reqwest::Client,
}

impl Program {
    pub(crate) fn of(app: &TestApp) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self { address: app.address, client: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// A request with this body, which a test may change before it is sent.
    pub(crate) fn post(&self, key: &str, body: impl Into<reqwest::Body>) -> RequestBuilder {
        let request = self.client.post(self.url()).header("accept", "application/json, text/event-stream");
        let request = request.header("content-type", "application/json").body(body);
        if key.is_empty() { request } else { request.bearer_auth(key) }
    }

    /// A request of the protocol at 2026-07-28, by a program that shows links.
    pub(crate) fn request(&self, key: &str, method: &str, mut params: Value) -> RequestBuilder {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "test", "version": "1"});
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"url": {}}});
        let name = params["name"].as_str().map(str::to_owned);
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let request = self.post(key, body).header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
        match name {
            Some(name) => request.header("mcp-name", name),
            None => request,
        }
    }

    /// A request of the protocol at 2025-11-25.
    pub(crate) fn old_request(&self, key: &str, method: &str, params: Value) -> RequestBuilder {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        self.post(key, body).header("mcp-protocol-version", "2025-11-25")
    }

    /// The result of a request that is answered.
    pub(crate) async fn result(&self, key: &str, method: &str, params: Value) -> Value {
        result(self.request(key, method, params).send().await.unwrap()).await
    }

    /// The result of a tool.
    pub(crate) async fn call(&self, key: &str, tool: &str, arguments: Value) -> Value {
        self.result(key, "tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Begins a call that tells its progress; it has come as far as to wait when this returns.
    pub(crate) async fn begin(&self, key: &str, tool: &str, arguments: Value) -> (Response, String) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}});
        let mut answer = self.request(key, "tools/call", params).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let mut seen = String::new();
        while !seen.contains("notifications/progress") {
            let chunk = answer.chunk().await.unwrap().expect("a stream");
            seen.push_str(&String::from_utf8_lossy(&chunk));
        }
        (answer, seen)
    }
}

pub(crate) async fn result(answer: Response) -> Value {
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    assert_eq!(status, 200, "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    answer["result"].clone()
}

/// The arguments of a translation of two texts.
pub(crate) fn two_keys() -> Value {
    json!({"keys": [{"ref": "hello", "text": "Hello"}, {"ref": "bye", "text": "Bye"}], "reason": "a test"})
}

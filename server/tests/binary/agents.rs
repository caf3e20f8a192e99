//! Agents whose requests are as large as they may be, in a real process.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::process::{Running, client, feed, stdout};

/// Workspaces whose agents ask too much, and the requests that each has under way.
const GREEDY: usize = 4;
const AT_ONCE: usize = 16;

/// Largest file, and largest body that it fits in with every character escaped once.
const LARGEST_FILE: usize = 2 * 1024 * 1024;
const LARGEST_BODY: usize = 4 * 1024 * 1024 + 64 * 1024;

/// The most that the process has had in memory, in MiB.
fn peak_memory(server: &Running) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1_024
}

/// Keys of workspaces of their own.
fn keys(server: &Running, folder: &std::path::Path) -> Vec<String> {
    let workspace = |number: usize| {
        json!({"handle": format!("w{number}"), "credits": 1_000, "projects": [{
            "slug": "app", "name": "App", "baseLanguage": "en", "languages": ["de"],
            "keys": [{"label": "test", "scopes": ["admin"], "kind": "ci"}],
        }]})
    };
    let tree = json!({"workspaces": (0..=GREEDY).map(workspace).collect::<Vec<_>>()});
    let database = format!("sqlite:{}", folder.join("l10n-data/dev.sqlite").display());
    let made = feed(folder, &["provision", "-", "--database-url", &database], &tree.to_string());
    let made: Value = serde_json::from_str(&stdout(&made)).unwrap();
    assert!(server.id() > 0);
    let workspaces = made["workspaces"].as_array().unwrap().iter();
    workspaces.map(|made| made["projects"][0]["keys"][0]["key"].as_str().unwrap().to_owned()).collect()
}

/// A call, as a body of the protocol.
fn call(tool: &str, arguments: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        .to_string()
}

/// The price of a file of the largest size, all of whose characters are escaped.
fn largest() -> (usize, String) {
    let text = "\\\"".repeat(500);
    let entry = |number: usize| format!("\"k{number}\":\"{text}\"");
    let keys = (LARGEST_FILE - 2) / (entry(9_999).len() + 1);
    let content = format!("{{{}}}", (0..keys).map(entry).collect::<Vec<_>>().join(","));
    let body = call("preview_translation", &json!({"file_path": "en.json", "content": content}));
    assert!(body.len() <= LARGEST_BODY && body.len() > LARGEST_BODY - 256 * 1024, "{}", body.len());
    (keys, body)
}

/// The status of an answer, and its result.
async fn ask(server: &Running, key: &str, body: impl Into<reqwest::Body>) -> (u16, Value) {
    let url = server.say("baseUrl").replace("/v1", "/mcp");
    let request = client().post(url).bearer_auth(key).header("accept", "application/json, text/event-stream");
    let request = request.header("content-type", "application/json").header("mcp-protocol-version", "2025-11-25");
    let answer = request.body(body).send().await.unwrap();
    let status = answer.status().as_u16();
    assert!(status != 429 || answer.headers().contains_key("retry-after"));
    let answer: Value = answer.json().await.unwrap();
    (status, answer["result"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_that_send_the_largest_bodies_take_bounded_memory_and_nothing_from_other_workspaces() {
    let folder = tempfile::tempdir().unwrap();
    let server = Arc::new(Running::dev_with(folder.path(), &["--mcp-enabled", "true"]));
    let mut keys = keys(&server, folder.path());
    let quiet = keys.pop().unwrap();
    let (number, body) = largest();
    let body = bytes::Bytes::from(body);
    assert_eq!(ask(&server, &keys[0], body.clone()).await.0, 200, "one is answered");
    let (before, begun) = (peak_memory(&server), Instant::now());

    let load = tokio::spawn({
        let server = Arc::clone(&server);
        async move {
            let requests = keys.iter().flat_map(|key| [key; AT_ONCE]);
            join_all(requests.map(async |key| (key.clone(), ask(&server, key, body.clone()).await))).await
        }
    });
    let (mut served, mut longest) = (0, Duration::ZERO);
    while !load.is_finished() || served == 0 {
        let begun = Instant::now();
        let (status, found) = ask(&server, &quiet, call("find_keys", &json!({}))).await;
        assert_eq!((status, &found["isError"]), (200, &json!(false)), "another workspace is served: {found}");
        (served, longest) = (served + 1, longest.max(begun.elapsed()));
    }
    let mut answered: HashMap<String, usize> = HashMap::new();
    for (key, (status, result)) in load.await.unwrap() {
        match status {
            200 => {
                assert_eq!(result["structuredContent"]["new"], number, "{result}");
                *answered.entry(key).or_default() += 1;
            }
            _ => assert_eq!(status, 429, "{result}"),
        }
    }
    assert_eq!(answered.len(), GREEDY, "each workspace has its own places");
    let grown = peak_memory(&server) - before;
    println!(
        "{} requests with {} bytes took {:?}: {:?} of each workspace were answered, and {served} of another, the longest in \
         {longest:?}; {grown} MiB beyond {before} MiB",
        GREEDY * AT_ONCE,
        LARGEST_BODY,
        begun.elapsed(),
        answered.values(),
    );
    // Two of a workspace take some times their bodies; of the others no more is read than a small body.
    assert!(grown < GREEDY * 2 * 24, "{grown} MiB");
}

//! `l10n mcp`: the program itself, with whatever a client writes to it.

use serde_json::{Value, json};

use crate::support::{Output, World, l10n};

/// A request of the revision that has no handshake.
pub(crate) fn request(id: u64, method: &str, params: Value) -> String {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

pub(crate) fn discover() -> String {
    request(1, "server/discover", json!({}))
}

fn initialize() -> String {
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let first = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let second = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    format!("{first}\n{second}")
}

/// Writes lines, ends standard input, and waits for the program's end.
async fn talk(world: &World, arguments: &[&str], lines: &[String]) -> Output {
    let all: Vec<&str> = ["mcp"].iter().chain(arguments).copied().collect();
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    world.l10n(&all).stdin(&text).run().await
}

/// The answers by id. Every line of standard output has to be one of the protocol.
fn answers(output: &Output) -> Vec<(Value, Value)> {
    let lines = output.stdout.lines().map(|line| {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    });
    lines.map(|message| (message["id"].clone(), message)).collect()
}

fn answer(output: &Output, id: u64) -> Value {
    let found = answers(output).into_iter().find(|(known, _)| *known == id);
    found.unwrap_or_else(|| panic!("no answer {id}: {}\n{}", output.stdout, output.stderr)).1
}

#[tokio::test(flavor = "multi_thread")]
async fn both_revisions_list_and_call_tools_and_the_program_ends_with_its_input() {
    let world = World::new().await;
    for begin in [discover(), initialize()] {
        let is_old = begin.contains("initialize");
        let ask = |id, method: &str, params: Value| match is_old {
            true => json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
            false => request(id, method, params),
        };
        let call = json!({"name": "translate", "arguments": {"file_path": "locales/en.json", "reason": "r"}});
        let lines = [begin, ask(2, "tools/list", json!({})), ask(3, "tools/call", call)];
        let output = talk(&world, &[], &lines).await;
        assert_eq!(output.status, 0, "{}", output.stderr);
        assert_eq!(answer(&output, 2)["result"]["tools"].as_array().unwrap().len(), 14);
        let result = &answer(&output, 3)["result"];
        assert_eq!(result["structuredContent"]["status"], "completed", "{result}");
        assert_eq!(result.get("resultType").is_some(), !is_old, "{result}");
    }
    assert_eq!(world.json(&["status"]).await["keyCount"], 2);
}

/// Nothing that a client writes makes the program panic, hang or write anything but the protocol.
#[tokio::test(flavor = "multi_thread")]
async fn garbage_is_survived_and_what_follows_is_answered() {
    let world = World::new().await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let huge =
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"{}"}}}}"#, "x".repeat(10_000_000));
    for garbage in [
        "garbage".to_owned(),
        "{".to_owned(),
        "\u{0}\u{1}\u{feff}".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        r#"{"jsonrpc":"1.0","id":9}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":{},"method":7}"#.to_owned(),
        deep,
        huge,
    ] {
        let begin: String = garbage.chars().take(30).collect();
        let output = talk(&world, &[], &[discover(), garbage, request(2, "tools/list", json!({}))]).await;
        assert_eq!(output.status, 0, "{begin}: {}", output.stderr);
        assert!(answer(&output, 2)["result"]["tools"].is_array(), "{begin}");
        assert!(!output.stderr.contains("panicked"), "{begin}: {}", output.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_methods_revisions_and_tools_are_errors_of_the_protocol() {
    let world = World::new().await;
    let old = request(4, "tools/list", json!({})).replace("2026-07-28", "2031-01-01");
    let lines = [
        discover(),
        request(2, "tools/call", json!({"name": "get_projct", "arguments": {}})),
        request(3, "no/such", json!({})),
        old,
        request(5, "tools/call", json!({"name": "get_key", "arguments": {"reff": "a"}})),
    ];
    let output = talk(&world, &[], &lines).await;
    assert_eq!(answer(&output, 2)["error"]["code"], -32602);
    assert!(answer(&output, 2)["error"]["message"].as_str().unwrap().contains("did you mean `get_project`?"));
    assert_eq!(answer(&output, 3)["error"]["code"], -32601);
    assert!(answer(&output, 4)["error"]["code"].is_i64(), "{}", output.stdout);
    assert_eq!(answer(&output, 5)["error"]["code"], -32602);
}

/// A client of the older kind that wants a revision nobody knows is answered with one that this server has.
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_revision_at_the_beginning_is_answered_with_a_known_one() {
    let world = World::new().await;
    for wrong in ["2031-01-01", "1.0", ""] {
        let begin = initialize().replace("2025-11-25", wrong);
        let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).to_string();
        let output = talk(&world, &[], &[begin, list]).await;
        assert_eq!(output.status, 0, "{wrong}: {}", output.stderr);
        let revision = answer(&output, 1)["result"]["protocolVersion"].clone();
        assert!(["2025-11-25", "2025-06-18"].contains(&revision.as_str().unwrap()), "{wrong}: {revision}");
        assert!(answer(&output, 2)["result"]["tools"].is_array(), "{wrong}");
    }
}

/// Half a line is no message; a client that leaves is no failure.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_early_ends_the_program_cleanly() {
    let world = World::new().await;
    for text in ["", "\n", r#"{"jsonrpc":"2.0","id":1,"meth"#] {
        let output = world.l10n(&["mcp"]).stdin(text).run().await;
        assert_eq!((output.status, output.stdout.as_str()), (0, ""), "{text:?}: {}", output.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_those_of_every_command_and_missing_ones_are_told_on_stderr() {
    let world = World::new().await;
    let without = l10n(world.folder.path(), &["mcp"]).run().await;
    assert_eq!((without.status, without.stdout.as_str()), (4, ""), "{}", without.stderr);
    assert!(without.stderr.contains("no API key"), "{}", without.stderr);
    let wrong = world.l10n(&["mcp", "--tools", "publsh"]).run().await;
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("did you mean `publish`?"), "{}", wrong.stderr);
    let lines = [discover(), request(2, "tools/list", json!({}))];
    let output = talk(&world, &["--read-only", "--tools", "publish,get_key"], &lines).await;
    let tools = answer(&output, 2)["result"]["tools"].clone();
    assert_eq!((tools.as_array().unwrap().len(), &tools[0]["name"]), (1, &json!("get_key")));
}

/// Claude Desktop, for one, starts programs there.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn the_root_of_all_files_is_no_working_folder() {
    let world = World::new().await;
    let arguments = json!({"name": "preview_translation", "arguments": {"file_path": "etc/hostname"}});
    let text = format!("{}\n{}\n", discover(), request(2, "tools/call", arguments));
    let base_url = world.base_url();
    let program = l10n(std::path::Path::new("/"), &["mcp", "--base-url", &base_url, "--project", "acme/app"]);
    let output = program.key(&world.app.project.keys.admin).stdin(&text).run().await;
    let error = answer(&output, 2)["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("reads no files"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_listens_without_a_key_of_its_own_and_an_address_that_is_taken_is_told() {
    let world = World::new().await;
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = l10n(world.folder.path(), &["mcp", "--listen", &address]).run().await;
    assert_eq!(output.status, 2, "{}", output.stderr);
    assert!(output.stderr.contains("cannot be listened on"), "{}", output.stderr);
    let output = world.l10n(&["mcp", "--allowed-host", "a"]).run().await;
    assert_eq!(output.status, 2, "{}", output.stderr);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_l10n"))
        .current_dir(world.folder.path())
        .args(["mcp", "--listen", "127.0.0.1:0"])
        .env_clear()
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stderr.take().unwrap()), &mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("Serving AI agents at http://127.0.0.1:"), "{line}");
}

/// A key never appears in what the program writes, however loud it is.
#[tokio::test(flavor = "multi_thread")]
async fn logs_go_to_stderr_and_hold_no_key() {
    let world = World::new().await;
    let lines = [discover(), request(2, "tools/call", json!({"name": "get_project", "arguments": {}}))];
    let output = talk(&world, &["-vv"], &lines).await;
    assert!(answer(&output, 2)["result"]["structuredContent"]["project"] == "acme/app");
    assert!(!output.stderr.is_empty());
    let key = &world.app.project.keys.admin;
    assert!(!output.stdout.contains(key.as_str()) && !output.stderr.contains(key.as_str()));
}

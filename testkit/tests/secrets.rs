//! No output of a run holds a part of a secret, whatever the suite sends and the deployment repeats.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Each secret of the profile, by its file.
const KEYS: &[(&str, &str)] = &[
    ("full", "eik_Zq83hVnR5tYw2KxJ7mPb4LdGc9Fs6TaU"),
    ("read", "eik_b7WkQ2sXe9RzM4vNj6HyD8cTf3GpLu5A"),
    ("revoked", "eik_mG5rTzK8wYd3XnQ7bVh2JsPc6LfE9uRa"),
    ("agent", "eik_H4xUe7CqW9sNt2ZbRk6MvYg3DjPf8LaT"),
    ("agent-reader", "eik_N6vCz3JtQy8WkB5xRgU2hSd9MpEf7LaX"),
];

/// The secret of each webhook of the server.
const WEBHOOK_SECRET: &str = "whsec_w9TfKz4QnXb7RvHc2YmJs6GdLp8EuA";

/// A server that accepts everything and repeats all that it is sent, in headers and body. Returns its base URL.
fn repeating_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || repeat(stream.unwrap()));
        }
    });
    format!("http://{address}/v1")
}

fn repeat(mut stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if line.trim().is_empty() {
                break;
            }
            head.push_str(&line);
        }
        let mut sent = vec![0; length];
        reader.read_exact(&mut sent).ok()?;
        let key = head.lines().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or_default();
        let answer = serde_json::json!({
            "scopes": [key], "webhooks": [], "webhookId": "whk_1", "secret": WEBHOOK_SECRET, "error": head,
            "message": String::from_utf8_lossy(&sent),
        });
        let (answer, status) = (answer.to_string(), if head.contains("/no-such-route") { 404 } else { 200 });
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nx-correlation-id: {key}\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(answer.as_bytes()).ok()?;
    }
}

/// The first part of a secret that the text holds: 8 characters in a row, in any case, or in Base64.
fn leaked(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let secrets = || KEYS.iter().map(|(_, key)| *key).chain([WEBHOOK_SECRET]);
    let encoded =
        secrets().flat_map(|secret| ["", "k", "ke"].map(|before| STANDARD.encode(format!("{before}{secret}"))));
    // The first characters of what is encoded are those of the prefix, and of what stands before it.
    let encoded = encoded.map(|text| text[8..text.len() - 4].to_owned());
    let parts = secrets().map(str::to_owned).chain(encoded).flat_map(|secret| {
        let windows: Vec<String> =
            secret.as_bytes().windows(8).map(|part| String::from_utf8_lossy(part).to_lowercase()).collect();
        windows
    });
    let mut parts = parts;
    parts.find(|part| text.contains(part.as_str()))
}

fn folder(base_url: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let named = KEYS.iter().map(|(name, key)| {
        std::fs::write(folder.path().join(name), key).unwrap();
        format!("keys.{name} = \"file:{name}\"\n")
    });
    let keys = named.collect::<String>();
    let text = format!(
        "base_url = \"{base_url}\"\nclaims = [\"webhooks\", \"revoked-key\", \"agent-key\"]\n\n[[lanes]]\nid = \"prj_1\"\n\
         handle = \"acme\"\nslug = \"app\"\n{keys}"
    );
    std::fs::write(folder.path().join("p.toml"), text).unwrap();
    folder
}

fn testkit(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_l10n-testkit"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("XDG_STATE_HOME", folder);
    let output = command.output().unwrap();
    [output.stdout, output.stderr].iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

#[test]
fn no_output_holds_eight_characters_of_a_secret() {
    let folder = folder(&repeating_server());
    let files = ["r.json", "r.html", "r.har", "r.xml", "r.tap", "r.txt", "result.json"];
    let kinds = ["json", "html", "har", "junit", "tap", "text", "result"];
    let reports: Vec<String> = kinds.iter().zip(files).map(|(kind, file)| format!("--report={kind}={file}")).collect();
    let mut arguments =
        vec!["run", "--profile", "p.toml", "--only", "AUTH-3,AUTH-3-PLACES,RES-10,WH-CR-1,VER-*", "--keep"];
    arguments.extend(["--journal", "journal", "--timeout", "5", "--trace", "trace"]);
    arguments.extend(reports.iter().map(String::as_str));
    let printed = testkit(folder.path(), &arguments);
    let text = testkit(folder.path(), &["run", "--profile", "p.toml", "--only", "AUTH-3", "--timeout", "5"]);
    assert!(text.contains("FAIL    AUTH-3"), "altered keys were sent and accepted: {text}");
    let preflight = testkit(folder.path(), &["preflight", "--profile", "p.toml"]);
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|_| panic!("{name}: {printed}"));
    assert!(read("journal").contains("whk_1"), "a webhook was made");
    assert!(read("r.json").contains("‹part of full key of prj_1›"), "altered keys are in the report");
    let trace = std::fs::read_dir(folder.path().join("trace")).unwrap().next().unwrap().unwrap().path();
    let trace = std::fs::read_to_string(trace).unwrap();
    let lines: Vec<serde_json::Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Also what no check asks for.
    let survey =
        |line: &&serde_json::Value| line["url"].as_str().unwrap().ends_with("/webhooks") && line["method"] == "GET";
    assert!(lines.iter().any(|line| line["status"] == 404) && lines.iter().find(survey).is_some(), "{trace}");
    let written = files.iter().chain(&["journal"]).map(|name| (*name, read(name)));
    for (name, text) in
        written.chain([("output", printed.clone()), ("text", text), ("preflight", preflight), ("trace", trace)])
    {
        let leak = leaked(&text).map(|part| {
            let at = text.to_lowercase().find(&part).unwrap_or_default();
            text[text.floor_char_boundary(at.saturating_sub(200))..text.ceil_char_boundary(at + 60)].to_owned()
        });
        assert_eq!(leak, None, "{name}");
    }
}

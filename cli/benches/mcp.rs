//! The start of `l10n mcp`, its memory, and `find_keys` among 200,000 keys, through the program itself.
//!
//!     cargo bench -p l10n-cli --bench mcp [-- sqlite|postgres] [-- --program PATH]
//!
//! `--program` measures another build of it.
//! Prints medians beside their limits: the start up to the first list of tools (50 ms, and `l10n --version` beside it), the peak of
//! its memory (30 MB), and calls of `find_keys`, on SQLite and, where there is one, on PostgreSQL.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench ends at the first fault and prints its figures")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

#[path = "../../server/benches/fixtures/large_project.rs"]
mod large_project;

/// Starts, and calls of each kind.
const TIMES: usize = 20;

const KEYS: i64 = 200_000;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs benches without it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("nothing measured: run it with `cargo bench -p l10n-cli --bench mcp`");
        return;
    }
    let program = arguments.iter().skip_while(|argument| *argument != "--program").nth(1);
    let program = program.map_or(env!("CARGO_BIN_EXE_l10n"), String::as_str).to_owned();
    let engines = ["sqlite", "postgres"];
    let is_named = |engine: &str| arguments.iter().any(|argument| argument == engine);
    for engine in engines {
        if engines.iter().any(|engine| is_named(engine)) && !is_named(engine) {
            continue;
        }
        let store = match engine {
            "sqlite" => Some(TestStore::sqlite().await),
            _ => TestStore::postgres().await,
        };
        let Some(store) = store else { continue };
        println!("{engine}");
        let app = TestApp::on(&store).await;
        starts(&app, program.clone()).await;
        searches(&app, program.clone()).await;
        drop(app);
        store.remove().await;
    }
}

/// A running `l10n mcp`.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(program: &str, base_url: &str, key: &str) -> Self {
        let mut child = Command::new(program)
            .args(["mcp", "--base-url", base_url, "--project", "acme/app"])
            .env("L10N_API_KEY", key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        writeln!(self.input, "{request}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert!(answer["error"].is_null() && answer["result"]["isError"] != true, "{answer}");
        answer["result"].clone()
    }

    /// The most memory that it has held at once, in MB; 0 where the system does not say.
    fn peak(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0) * 1024.0 / 1e6
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

async fn starts(app: &TestApp, program: String) {
    let (base_url, key) = (format!("http://{}/v1", app.address), app.project.keys.admin.clone());
    // The service runs in this process.
    let measured = tokio::task::spawn_blocking(move || {
        let (mut bare, mut first) = (Vec::new(), Vec::new());
        let mut peak = 0.0_f64;
        for _ in 0..TIMES {
            let began = Instant::now();
            let said = Command::new(&program).arg("--version").output().unwrap();
            assert!(said.status.success());
            bare.push(began.elapsed().as_secs_f64() * 1e3);
            let began = Instant::now();
            let mut running = Running::start(&program, &base_url, &key);
            let list = running.ask("tools/list", json!({}));
            first.push(began.elapsed().as_secs_f64() * 1e3);
            assert_eq!(list["tools"].as_array().unwrap().len(), 14);
            peak = peak.max(running.peak());
        }
        (bare, first, peak)
    });
    let (bare, first, peak) = measured.await.unwrap();
    told("start to the first list of tools", first, Some(50.0));
    told("l10n --version", bare, None);
    println!("  {peak:8.1} MB ({:4.2} of the limit)  peak memory after the list", peak / 30.0);
}

async fn searches(app: &TestApp, program: String) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    large_project::load(&mut tx, &app.project.id, KEYS, &["de"]).await;
    tx.commit().await.unwrap();
    app.indexed().await;
    let (base_url, key) = (format!("http://{}/v1", app.address), app.project.keys.admin.clone());
    let measured = tokio::task::spawn_blocking(move || {
        let mut running = Running::start(&program, &base_url, &key);
        for (name, arguments, found) in [
            ("find_keys: 25 of all", json!({}), 25),
            ("find_keys: a prefix", json!({"prefix": "section7."}), 25),
            ("find_keys: query, one key", json!({"query": "number 123456 "}), 1),
            ("find_keys: query, many keys", json!({"query": "what there is to do"}), 25),
            ("find_keys: query, none", json!({"query": "nobody wrote this"}), 0),
            ("find_keys: query in German", json!({"query": "nummer 4711 sagt", "language": "de"}), 1),
        ] {
            let mut took = Vec::new();
            for _ in 0..TIMES {
                let began = Instant::now();
                let result = running.ask("tools/call", json!({"name": "find_keys", "arguments": arguments}));
                took.push(began.elapsed().as_secs_f64() * 1e3);
                let keys = result["structuredContent"]["keys"].as_array().unwrap().len();
                assert_eq!(keys, found, "{name}");
            }
            told(name, took, None);
        }
        println!("  {:8.1} MB  peak memory after {KEYS} keys were searched", running.peak());
    });
    measured.await.unwrap();
}

/// Prints the median and the slowest.
fn told(name: &str, mut took: Vec<f64>, limit: Option<f64>) {
    took.sort_by(f64::total_cmp);
    let (median, slowest) = (took[took.len() / 2], took[took.len() - 1]);
    let share = limit.map(|limit| format!(" ({:4.2} of the limit)", median / limit)).unwrap_or_default();
    println!("  {median:8.1} ms{share}, slowest {slowest:6.1} ms  {name}");
}

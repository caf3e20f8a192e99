//! Documents from push to publish. `cargo bench -p l10n-server --bench content [-- --documents 1000]`
//!
//! Prints one line for each figure, on SQLite and, where there is one, on PostgreSQL; first how long the same texts take
//! to be read alone, on one core.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench ends at the first fault and prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use http::Method;
use l10n_api_types::content::Document;
use l10n_api_types::publish::DocumentsPublished;
use l10n_formats::documents::{DocumentFormat, parse};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

const BYTES: usize = 8 * 1024;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--documents").skip(1);
    let documents = arguments.next().map_or(1_000, |number| number.parse().unwrap());
    let began = Instant::now();
    for number in 0..documents {
        black_box(parse(DocumentFormat::Markdown, &body(number, "to do")).unwrap());
    }
    print("no server", "read alone", documents, began);
    measure("sqlite", &TestStore::sqlite().await, documents).await;
    if let Some(store) = TestStore::postgres().await {
        measure("postgres", &store, documents).await;
        store.remove().await;
    }
}

async fn measure(engine: &str, store: &TestStore, count: usize) {
    let app = TestApp::on(store).await;
    let began = Instant::now();
    let mut documents: Vec<Document> = Vec::with_capacity(count);
    for number in 0..count {
        let answer =
            app.post("/content").json(&json!({"format": "markdown", "body": body(number, "to do")})).send().await;
        assert_eq!(answer.status, 201, "{answer:?}");
        documents.push(answer.read());
    }
    print(engine, "push", count, began);
    let began = Instant::now();
    let first = run_all(&app, &documents).await;
    print(engine, "run", count, began);
    let began = Instant::now();
    for (number, document) in documents.iter().enumerate() {
        let changed = json!({"body": body(number, "done")});
        let answer = app.call(Method::PUT, &format!("/content/{}", document.doc_id)).json(&changed).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    print(engine, "push again, one paragraph changed", count, began);
    let began = Instant::now();
    let second = run_all(&app, &documents).await;
    print(engine, "run again", count, began);
    println!("{engine}: the second run costs {:.2} % of the first", second as f64 * 100.0 / first as f64);
    let before = peak_memory();
    for (name, moved) in [("publish", count), ("publish again, unchanged", 0)] {
        let began = Instant::now();
        let answer = app.post("/publish").json(&json!({"target": "content"})).send().await;
        let done: DocumentsPublished = answer.read();
        print(engine, name, count, began);
        assert_eq!(done.summary.docs_published, moved as u64, "{done:?}");
    }
    println!("{engine}: peak memory before the first publish {before} MiB, after both {} MiB", peak_memory());
}

fn print(engine: &str, name: &str, count: usize, began: Instant) {
    println!(
        "{engine}: {name}: {count} documents of {BYTES} bytes in 3 languages: {:.2} s",
        began.elapsed().as_secs_f64()
    );
}

/// Runs all documents, and waits until the last of their jobs has ended; what they cost, in millicredits.
async fn run_all(app: &TestApp, documents: &[Document]) -> i64 {
    let mut tokens = Vec::with_capacity(documents.len());
    for document in documents {
        let run = app.post(&format!("/content/{}/run", document.doc_id)).send().await.json();
        tokens.push(run["trackingToken"].as_str().unwrap().to_owned());
    }
    let mut charged = 0;
    for token in tokens {
        charged += charge_of(app, &token).await;
    }
    charged
}

async fn charge_of(app: &TestApp, token: &str) -> i64 {
    loop {
        let path = format!("/translations?waitSeconds=25&limit=1&trackingToken={token}");
        let job: Value = app.get(&path).send().await.json();
        match job["status"].as_str() {
            Some("queued" | "running") => {}
            status => {
                assert_eq!(status, Some("completed"), "{job}");
                return job["creditsCharged"].as_i64().unwrap();
            }
        }
    }
}

/// Headings, paragraphs with inline markup, a list and code, different in each document; its first paragraph says how it
/// stands.
fn body(number: usize, stand: &str) -> String {
    let mut body = format!("# Document {number}\n\nDocument {number} is {stand}.\n\n");
    for part in 0.. {
        if body.len() >= BYTES {
            break;
        }
        body.push_str(&format!(
            "## Part {part} of {number}\n\nParagraph {part} says *something* about [number {number}](/docs/{number}) and \
             what there is to do with `code {part}` when it is **late**.\n\n- first point {part} of {number}\n- second \
             point {part} of {number}\n\n```sh\nmake part-{part}\n```\n\n"
        ));
    }
    body
}

/// The most that the process had in memory, in MiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}

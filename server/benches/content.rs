//! Documents from push to publish. `cargo bench -p l10n-server --bench content`
//!
//! Prints one line for each figure, on SQLite and, where there is one, on PostgreSQL.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench ends at the first fault and prints its figures")]

use std::time::Instant;

use l10n_api_types::content::Document;
use l10n_api_types::publish::DocumentsPublished;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

const DOCUMENTS: usize = 1_000;
const BYTES: usize = 8 * 1024;

#[tokio::main]
async fn main() {
    measure("sqlite", &TestStore::sqlite().await).await;
    if let Some(store) = TestStore::postgres().await {
        measure("postgres", &store).await;
        store.remove().await;
    }
}

async fn measure(engine: &str, store: &TestStore) {
    let app = TestApp::on(store).await;
    let began = Instant::now();
    let mut documents: Vec<Document> = Vec::with_capacity(DOCUMENTS);
    for number in 0..DOCUMENTS {
        let answer = app.post("/content").json(&json!({"format": "markdown", "body": body(number)})).send().await;
        assert_eq!(answer.status, 201, "{answer:?}");
        documents.push(answer.read());
    }
    print(engine, "push", began);
    let began = Instant::now();
    let mut tokens = Vec::with_capacity(DOCUMENTS);
    for document in &documents {
        let run = app.post(&format!("/content/{}/run", document.doc_id)).send().await.json();
        tokens.push(run["trackingToken"].as_str().unwrap().to_owned());
    }
    for token in tokens {
        ended(&app, &token).await;
    }
    print(engine, "run", began);
    let before = peak_memory();
    for (name, moved) in [("publish", DOCUMENTS), ("publish again, unchanged", 0)] {
        let began = Instant::now();
        let answer = app.post("/publish").json(&json!({"target": "content"})).send().await;
        let done: DocumentsPublished = answer.read();
        print(engine, name, began);
        assert_eq!(done.summary.docs_published, moved as u64, "{done:?}");
    }
    println!("{engine}: peak memory before the first publish {before} MiB, after both {} MiB", peak_memory());
}

fn print(engine: &str, name: &str, began: Instant) {
    println!(
        "{engine}: {name}: {DOCUMENTS} documents of {BYTES} bytes in 3 languages: {:.2} s",
        began.elapsed().as_secs_f64()
    );
}

async fn ended(app: &TestApp, token: &str) {
    loop {
        let path = format!("/translations?waitSeconds=25&limit=1&trackingToken={token}");
        let job: Value = app.get(&path).send().await.json();
        match job["status"].as_str() {
            Some("queued" | "running") => {}
            status => return assert_eq!(status, Some("completed"), "{job}"),
        }
    }
}

/// Headings, paragraphs with inline markup, a list and code, different in each document.
fn body(number: usize) -> String {
    let mut body = format!("# Document {number}\n\n");
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

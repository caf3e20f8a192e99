//! Fuzzy lookups among a million entries of translation memory, over HTTP, beside the plain lookup of a key in the same run.
//!
//!     cargo bench -p l10n-server --bench memory [-- --entries 1000000] [-- --engine sqlite|postgres]
//!
//! Each text that is asked is one of the entries with a word changed. Prints median, p99 and maximum of both lookups, how
//! many texts found the entry that they were made of, and as its last line all of it as one JSON object.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench ends at the first fault and prints its figures"
)]

mod texts;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use l10n_api_types::memory::MemoryMatches;
use l10n_api_types::{Content, Key};
use l10n_formats::SourceHash;
use l10n_server::engines::Pseudo;
use l10n_server::store::memory::{MemoryOwner, MemoryScope, MemorySpace};
use l10n_server::store::{Tx, memory, memory_index, memory_sources};
use l10n_server::testing::{TestApp, TestStore};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use self::texts::Texts;

/// Entries, unless `--entries` says otherwise.
const ENTRIES: usize = 1_000_000;
/// Entries that one transaction writes.
const AT_ONCE: usize = 5_000;
/// Lookups that are measured.
const LOOKUPS: usize = 2_000;
/// Lookups before them, which count for nothing.
const WARM: usize = 500;
/// Lookups under way at once, in the second part.
const CLIENTS: usize = 4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs benches without it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        eprintln!("nothing measured: run it with `cargo bench --bench memory`");
        return;
    }
    let after = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).map(String::as_str);
    let entries = after("--entries").map_or(ENTRIES, |value| value.parse().unwrap());
    let engines = after("--engine").map_or(vec!["sqlite", "postgres"], |engine| vec![engine]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for engine in engines {
        runtime.block_on(measure(engine, entries));
    }
}

async fn measure(engine: &str, entries: usize) {
    let store = if engine == "sqlite" { Some(TestStore::sqlite().await) } else { TestStore::postgres().await };
    let Some(store) = store else { return };
    let idle = |settings: &mut l10n_server::config::Settings| settings.limits.requests_per_minute = u32::MAX;
    let app = TestApp::idle(&store, idle, Arc::new(Pseudo)).await;
    let texts = Texts::new();
    let (filled, indexed) = fill(&app, &texts, entries).await;
    println!("{engine}: {entries} entries, written in {filled:.0} s, indexed in {indexed:.0} s");
    let keys: Vec<Key> = (0..5_000).map(|n| Key::text(format!("key.{n}"), texts.entry(n))).collect();
    let registered = app.post("/translate").json(&json!({ "keys": keys })).send().await;
    assert_eq!(registered.status, 202, "{}", registered.outcome());

    // An odd step that five does not divide: else all would be of people, and begin alike.
    let step = (entries / (LOOKUPS + WARM) / 10 * 10).max(10) + 1;
    let place = |at: usize| at * step % entries;
    let asked: Vec<(usize, String)> = (0..LOOKUPS + WARM).map(|at| (place(at), texts.changed(place(at), at))).collect();
    let mut json = json!({"engine": engine, "entries": entries, "unit": "ms", "indexedSeconds": indexed});
    for clients in [1, CLIENTS] {
        let plain = timed(&asked, clients, async |n, _| {
            let answer = app.get(&format!("/translations?ref=key.{}", n % 5_000)).send().await;
            assert_eq!(answer.status, 200, "{}", answer.outcome());
            true
        });
        let plain = show(&format!("key, {clients} at a time"), plain.await);
        let fuzzy = timed(&asked, clients, async |n, text| {
            let text = utf8_percent_encode(text, NON_ALPHANUMERIC);
            let answer = app.get(&format!("/memory?language=de&text={text}")).send().await;
            assert_eq!(answer.status, 200, "{}", answer.outcome());
            answer.read::<MemoryMatches>().matches.iter().any(|one| one.source == texts.entry(n))
        });
        let fuzzy = show(&format!("memory, {clients} at a time"), fuzzy.await);
        json[format!("clients{clients}")] = json!({"key": plain, "memory": fuzzy});
    }
    println!("{json}");
    drop(app);
    store.remove().await;
}

/// Writes entries of an engine, and one in ten of people, into the memory of the workspace; returns the seconds that this took,
/// and those of the index.
async fn fill(app: &TestApp, texts: &Texts, entries: usize) -> (f64, f64) {
    let began = Instant::now();
    let owner = MemoryOwner::Workspace(&app.project.workspace);
    let scope = MemoryScope { owner, source_language: "en", target_language: "de" };
    let now = app.service.clock.now();
    for start in (0..entries).step_by(AT_ONCE) {
        let some: Vec<(usize, Content)> =
            (start..(start + AT_ONCE).min(entries)).map(|n| (n, Content::Text(texts.entry(n)))).collect();
        let mut tx = app.service.store.begin_write().await.unwrap();
        for is_human in [true, false] {
            let part = some.iter().filter(|(n, _)| (n % 10 == 0) == is_human);
            let rows: Vec<(SourceHash, &Content)> = part.map(|(_, text)| (SourceHash::of(text), text)).collect();
            let space = MemorySpace { owner, source_language: "en", is_human };
            memory_sources::keep(&mut tx, space, &rows, now).await.unwrap();
            let engine = if is_human { memory::REVIEWED } else { "pseudo" };
            memory::remember(&mut tx, scope, engine, &rows, now).await.unwrap();
        }
        tx.commit().await.unwrap();
    }
    let filled = began.elapsed().as_secs_f64();
    let began = Instant::now();
    loop {
        let mut tx = app.service.store.begin_write().await.unwrap();
        let indexed = memory_index::index_some(&mut tx, 2_000).await.unwrap();
        tx.commit().await.unwrap();
        if indexed == 0 {
            break;
        }
    }
    let indexed = began.elapsed().as_secs_f64();
    let mut tx = app.service.store.begin_write().await.unwrap();
    if let Tx::Postgres(tx) = &mut tx {
        sqlx::query("ANALYZE").execute(&mut **tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    (filled, indexed)
}

/// The durations of the calls after the first, `clients` under way at once, and how many of them found what they were made of.
async fn timed(
    asked: &[(usize, String)],
    clients: usize,
    call: impl AsyncFn(usize, &str) -> bool,
) -> (Vec<Duration>, usize) {
    let (mut took, mut found) = (Vec::with_capacity(asked.len()), 0);
    for (at, some) in asked.chunks(clients).enumerate() {
        let calls = some.iter().map(async |(n, text)| {
            let began = Instant::now();
            let is_found = call(*n, text).await;
            (began.elapsed(), is_found)
        });
        for (duration, is_found) in join_all(calls).await {
            if at * clients >= WARM {
                took.push(duration);
                found += usize::from(is_found);
            }
        }
    }
    (took, found)
}

fn show(name: &str, (mut took, found): (Vec<Duration>, usize)) -> serde_json::Value {
    took.sort_unstable();
    let at = |part: f64| {
        let place = ((took.len() as f64 - 1.0) * part) as usize;
        took[place].as_secs_f64() * 1e3
    };
    let (median, p99, most) = (at(0.5), at(0.99), at(1.0));
    let found = found as f64 * 100.0 / took.len() as f64;
    println!("  {name:<24} median {median:>7.2} ms  p99 {p99:>7.2} ms  most {most:>7.2} ms  found {found:>5.1} %");
    json!({"median": median, "p99": p99, "most": most, "found": found})
}

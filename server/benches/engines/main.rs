//! Translation services kept busy, and the cost of the pipeline around an engine.
//!
//!     cargo bench -p l10n-server --bench engines [-- --texts 24000] [-- --engine sqlite|postgres]
//!
//! A fake of DeepL answers each request after 200 ms, and 8 requests are under way at once. So many texts go through it by one job,
//! and by 24 jobs of as many workspaces. Prints the time beside the least that the fake allows, and the cost of a text in the
//! pipeline beside the bare engine, and as its last line all of it as one JSON object. The stores are those of tests: SQLite waits
//! for no disk.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench ends at the first fault and prints its figures"
)]

mod busy;
mod overhead;

use l10n_server::testing::TestStore;
use serde_json::json;

/// Texts, unless `--texts` says otherwise.
const TEXTS: usize = 24_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs benches without it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        eprintln!("nothing measured: run it with `cargo bench --bench engines`");
        return;
    }
    let after = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).map(String::as_str);
    let texts = after("--texts").map_or(TEXTS, |value| value.parse().unwrap());
    let engines = after("--engine").map_or(vec!["sqlite", "postgres"], |engine| vec![engine]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut json = json!({"texts": texts, "pipeline": runtime.block_on(overhead::measure())});
    for engine in engines {
        runtime.block_on(async {
            let store = if engine == "sqlite" { Some(TestStore::sqlite().await) } else { TestStore::postgres().await };
            let Some(store) = store else { return };
            json[engine] = busy::measure(engine, &store, texts).await;
            store.remove().await;
        });
    }
    println!("{json}");
}

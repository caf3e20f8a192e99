//! Compares the service with ten thousand and with a million keys: the same reads and small writes in projects of three
//! sizes, each ten times the one before, on both engines.
//!
//!     cargo bench -p l10n-server --bench size [-- --largest 1000000] [-- --engine sqlite|postgres] [-- --no-publish]
//!
//! Prints each route's median and its ratio from the second size to the largest one, then what five thousand projects with a
//! webhook each cost, and as its last line all of it as one JSON object. A read or small write may take 1.5 times as long
//! with ten times the keys, a publish twelve times; what takes longer is marked, and differences below a millisecond are
//! not. With `--check` a mark ends it with 1.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench ends at the first fault and prints its figures"
)]

mod crowd;
mod fill;
mod routes;

use std::process::ExitCode;
use std::time::Duration;

use l10n_server::testing::TestStore;

/// The durations of a route, by size.
type Medians = Vec<(String, Vec<Duration>)>;

/// Keys of the largest project, unless `--largest` says otherwise.
const LARGEST: usize = 1_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    // `cargo test --all-targets` runs benches without it.
    if !has("--bench") {
        eprintln!("nothing measured: run it with `cargo bench --bench size`");
        return ExitCode::SUCCESS;
    }
    let after = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).map(String::as_str);
    let largest = after("--largest").map_or(LARGEST, |value| value.parse().unwrap());
    let engines = after("--engine").map_or(vec!["sqlite", "postgres"], |engine| vec![engine]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let marks: usize = engines
        .into_iter()
        .map(|engine| runtime.block_on(measure(engine, largest.max(100_000), !has("--no-publish"))))
        .sum();
    if has("--check") && marks > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

async fn fresh(engine: &str) -> Option<TestStore> {
    if engine == "sqlite" { Some(TestStore::sqlite().await) } else { TestStore::postgres().await }
}

/// Returns how many figures are marked.
async fn measure(engine: &str, largest: usize, publishes: bool) -> usize {
    let sizes = [largest / 100, largest / 10, largest];
    let (mut stores, mut sites) = (Vec::new(), Vec::new());
    for size in sizes {
        eprintln!("{engine}: {size} keys");
        let Some(store) = fresh(engine).await else { return 0 };
        sites.push(routes::Site::on(&store, size).await);
        stores.push(store);
    }
    let medians = routes::measure(&sites, publishes).await;
    drop(sites);
    for store in stores {
        store.remove().await;
    }
    println!("{engine}: medians in ms with {} keys, and the ratio from the second to the third", list(&sizes));
    let mut marks = 0;
    for (route, took) in &medians {
        let [_, middle, last] = took[..] else { continue };
        let ratio = last.as_secs_f64() / middle.as_secs_f64();
        let most = if route.starts_with("publish") { 12.0 } else { 1.5 };
        let mark = ratio > most && last - middle > Duration::from_millis(1);
        marks += usize::from(mark);
        let shown: Vec<String> = took.iter().map(|took| format!("{:>10.2}", took.as_secs_f64() * 1e3)).collect();
        println!("  {route:<46} {} {ratio:>7.2}{}", shown.join(" "), if mark { "  <- grows" } else { "" });
    }
    let Some(store) = fresh(engine).await else { return marks };
    let crowd = crowd::measure(&store).await;
    store.remove().await;
    println!("{engine}: with {} projects and webhooks that wait", crowd::PROJECTS);
    for (name, took) in &crowd {
        println!("  {name:<46} {:>10.2}", took.as_secs_f64() * 1e3);
    }
    let of = |(name, took): &(String, Duration)| (name.clone(), serde_json::json!(took.as_secs_f64() * 1e3));
    let by_route = medians.iter().map(|(route, took)| {
        (route.clone(), serde_json::json!(took.iter().map(|took| took.as_secs_f64() * 1e3).collect::<Vec<_>>()))
    });
    let json = serde_json::json!({
        "engine": engine, "keys": sizes, "unit": "ms", "marks": marks,
        "routes": by_route.collect::<serde_json::Map<_, _>>(),
        "crowd": crowd.iter().map(of).collect::<serde_json::Map<_, _>>(),
    });
    println!("{json}");
    marks
}

fn list(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

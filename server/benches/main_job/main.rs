//! Speed and memory of the main job: the release server as its own process, on a fresh SQLite file and on PostgreSQL, driven
//! over HTTP through the client.
//!
//!     cargo bench -p l10n-server --bench main_job [-- --runs 3] [-- --engine sqlite|postgres]
//!
//! Prints a table and, as its last line, the same as one JSON object. Beside a figure stands what the same machine does
//! in the same run without the service: the same rows through plain SQL, the same bytes from memory. The processor's
//! time of the server is told apart from the time that passed, since other work may share the machine.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its figures")]

#[expect(dead_code, reason = "the bench of reads asks more of it")]
mod bare;
#[expect(dead_code, reason = "the bench of reads asks more of it")]
mod child;
mod crowded;
mod database;
mod journey;
mod peers;
#[expect(dead_code, reason = "the bench of deliveries asks more of it")]
#[path = "../deliveries/process.rs"]
mod process;
mod reads;
mod report;
mod sample;

use anyhow::{Context as _, Result, bail};

use self::database::Engine;
use self::report::Report;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, folder] = arguments.as_slice()
        && first == bare::ARGUMENT
    {
        return bare::serve(folder.as_ref());
    }
    // `cargo test --all-targets` runs benches without it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        eprintln!("nothing measured: run it with `cargo bench --bench main_job`");
        return Ok(());
    }
    let after = |name: &str| {
        arguments.iter().position(|argument| argument == name).map(|at| arguments.get(at + 1).map(String::as_str))
    };
    let runs: usize = match after("--runs") {
        None => 3,
        Some(value) => value.and_then(|value| value.parse().ok()).context("--runs takes a number")?,
    };
    let engines = match after("--engine") {
        None => vec![Engine::Sqlite, Engine::Postgres],
        Some(Some("sqlite")) => vec![Engine::Sqlite],
        Some(Some("postgres")) => vec![Engine::Postgres],
        Some(_) => bail!("--engine takes sqlite or postgres"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(measure(&engines, runs))
}

async fn measure(engines: &[Engine], runs: usize) -> Result<()> {
    let sample = sample::Sample::read()?;
    println!("{} keys, {} bytes, {}; medians of {runs} runs", sample.keys, sample.text.len(), sample.origin);
    let mut report = Report::default();
    for engine in engines {
        for run in 0..runs {
            eprintln!("{engine}: run {} of {runs}", run + 1);
            if !journey::measure(*engine, &sample, &mut report).await? {
                break;
            }
        }
        if report.has(*engine) {
            eprintln!("{engine}: among {} other keys", crowded::OTHER_KEYS);
            crowded::measure(*engine, &sample, runs, &mut report).await?;
        }
    }
    println!("{report}");
    println!("{}", report.json());
    Ok(())
}

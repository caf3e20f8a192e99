//! Deliveries end to end: a server as its own process, on SQLite and on a PostgreSQL that syncs its commits, with the load
//! and the endpoints in this one.
//!
//!     cargo bench -p l10n-server --bench deliveries [-- --engine sqlite|postgres] [--only NAME] [--scale 1.0]
//!
//! Prints tables and, as its last line, the same as one JSON object. Events are recorded as a publish records them, one
//! transaction for each, by a route that this server has in addition; endpoints are on this machine, most of them
//! without TLS. Accept → receipt is from the answer to that route to the arrival of the whole delivery.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its figures")]

mod child;
mod crowd;
mod database;
mod faults;
mod load;
mod process;
mod report;
mod sink;
mod speed;

use anyhow::{Context as _, Result, bail};

use self::database::{Databases, Engine};
use self::report::Report;

/// The plan of measurements.
struct Plan {
    only: Option<String>,
    scale: f64,
}

impl Plan {
    fn wants(&self, name: &str) -> bool {
        self.only.as_deref().is_none_or(|only| name.contains(only))
    }

    fn messages(&self, count: usize) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "small"
        )]
        let scaled = (count as f64 * self.scale) as usize;
        scaled.max(10)
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, config] = arguments.as_slice()
        && first == child::ARGUMENT
    {
        return child::serve(config);
    }
    // `cargo test --all-targets` runs benches without it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        eprintln!("nothing measured: run it with `cargo bench --bench deliveries`");
        return Ok(());
    }
    let after = |name: &str| {
        arguments.iter().position(|argument| argument == name).map(|at| arguments.get(at + 1).map(String::as_str))
    };
    let engines = match after("--engine") {
        None => vec![Engine::Sqlite, Engine::Postgres],
        Some(Some("sqlite")) => vec![Engine::Sqlite],
        Some(Some("postgres")) => vec![Engine::Postgres],
        Some(_) => bail!("--engine takes sqlite or postgres"),
    };
    let scale = match after("--scale") {
        None => 1.0,
        Some(value) => value.and_then(|value| value.parse().ok()).context("--scale takes a number")?,
    };
    let plan = Plan { only: after("--only").flatten().map(str::to_owned), scale };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(measure(&engines, &plan))
}

async fn measure(engines: &[Engine], plan: &Plan) -> Result<()> {
    let mut report = Report::default();
    for engine in engines {
        let databases = match Databases::of(*engine) {
            Ok(databases) => databases,
            Err(error) => {
                eprintln!("{engine}: SKIPPED: {error}");
                continue;
            }
        };
        for tls in [false, true] {
            speed::measure(&databases, plan, tls, &mut report).await?;
        }
        crowd::measure(&databases, plan, &mut report).await?;
        faults::measure(&databases, plan, &mut report).await?;
    }
    println!("{report}");
    println!("{}", report.json());
    Ok(())
}

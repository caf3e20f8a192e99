//! The time that a tenant waits while another one, or a stranger, overloads the server: the release server as a
//! separate process, on either engine.
//!
//!     cargo bench -p l10n-server --bench neighbours [-- --engine sqlite|postgres] [--only NAME] [--scale 0.1] [--seconds 4]
//!         [--hold-aims]
//!
//! The victim reads and writes a little, one request after the other, first alone and then beside the abuser. Each figure is a
//! ratio of the second to the first; milliseconds stand beside it. Aims: 3 for the median and 10 for the 99th percentile, and no
//! request of the victim refused. With `--hold-aims` it ends with 1 where one is missed. `--scale 1` is the size at which these
//! abuses were found (100,000 keys, jobs of 300,000 texts); smaller ones show the same with less patience.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its figures")]

mod abuse;
mod body;
#[expect(dead_code, reason = "the bench of the main job asks more of it")]
#[path = "../main_job/child.rs"]
mod child;
#[expect(dead_code, reason = "the bench of the main job asks more of it")]
#[path = "../main_job/database.rs"]
mod database;
#[expect(dead_code, reason = "the bench of deliveries asks more of it")]
#[path = "../deliveries/process.rs"]
mod process;
mod report;
mod victim;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use self::abuse::{Abuser, Case};
use self::child::{BUILT, Server, provision};
use self::database::{Database, Engine};
use self::report::Report;
use self::victim::Victim;

/// The plan of measurements.
struct Plan {
    engines: Vec<Engine>,
    only: Option<String>,
    scale: f64,
    probe: Duration,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs benches without it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        eprintln!("nothing measured: run it with `cargo bench --bench neighbours`");
        return Ok(());
    }
    let after = |name: &str| {
        arguments.iter().position(|argument| argument == name).map(|at| arguments.get(at + 1).map(String::as_str))
    };
    let number = |name: &str, default: f64| match after(name) {
        None => Ok(default),
        Some(value) => value.and_then(|value| value.parse().ok()).with_context(|| format!("{name} takes a number")),
    };
    let plan = Plan {
        engines: match after("--engine") {
            None => vec![Engine::Sqlite, Engine::Postgres],
            Some(Some("sqlite")) => vec![Engine::Sqlite],
            Some(Some("postgres")) => vec![Engine::Postgres],
            Some(_) => bail!("--engine takes sqlite or postgres"),
        },
        only: after("--only").flatten().map(str::to_owned),
        scale: number("--scale", 0.1)?,
        probe: Duration::from_secs_f64(number("--seconds", 4.0)?),
    };
    // reqwest is built without a provider of its own; a provider installed twice is no error.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = runtime.block_on(measure(&plan))?;
    println!("{report}");
    println!("{}", report.json());
    if arguments.iter().any(|argument| argument == "--hold-aims") && !report.holds_aims() {
        bail!("an aim is missed");
    }
    Ok(())
}

async fn measure(plan: &Plan) -> Result<Report> {
    let mut report = Report::default();
    for engine in &plan.engines {
        for case in Case::ALL {
            if plan.only.as_deref().is_some_and(|only| !case.name().contains(only)) {
                continue;
            }
            eprintln!("{engine}: {}", case.name());
            if !beside(*engine, case, plan, &mut report).await? {
                break;
            }
        }
    }
    Ok(report)
}

/// Measures one case on a database of its own; `false` where there is no such engine.
async fn beside(engine: Engine, case: Case, plan: &Plan, report: &mut Report) -> Result<bool> {
    let Some(database) = Database::fresh(engine).await? else { return Ok(false) };
    let url = database.url();
    let handles = ["victim", "abuser", "second"].map(str::to_owned);
    let mut made = provision(BUILT, &url, &handles, &abuse::LANGUAGES[..case.languages()])?.into_iter();
    let mut next = || made.next().context("provision made less than it was asked for");
    let victim = next()?;
    let abusers = [next()?, next()?];
    let server = Server::start(BUILT, &url).await?;
    let victim = Victim::new(server.address, &victim, case)?;
    let abuser = Arc::new(Abuser::new(server.address, abusers, case, plan.scale)?);
    abuser.prepare().await?;
    // The first request finds no connection and nothing in memory.
    victim.probe(Duration::from_millis(500)).await?;
    let alone = victim.probe(plan.probe).await?;
    let (stop, begun) = (CancellationToken::new(), Arc::new(Notify::new()));
    let abuse = std::thread::spawn({
        let (abuser, stop, begun) = (Arc::clone(&abuser), stop.clone(), Arc::clone(&begun));
        move || -> Result<()> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(stop.run_until_cancelled(abuser.abuse(&begun))).unwrap_or(Ok(()))
        }
    });
    tokio::select! {
        () = begun.notified() => {}
        () = tokio::time::sleep(Duration::from_secs(60)) => bail!("the abuse does not begin"),
    }
    let beside = victim.probe(plan.probe).await?;
    stop.cancel();
    let Ok(outcome) = abuse.join() else { bail!("the abuser panicked") };
    outcome.with_context(|| format!("the abuse `{}` ended early", case.name()))?;
    report.add(engine, case.name(), &alone, &beside);
    drop(server);
    database.remove().await?;
    Ok(true)
}

//! Reads of published files per CPU second of the serving process, beside a bare axum handler and, where it is installed,
//! nginx, each with the same bytes in a process of its own.
//!
//!     cargo bench -p l10n-server --bench reads [-- --engine sqlite|postgres] [--server PATH] [--rounds 3] [--log info]
//!
//! `--server` measures another build of the server. The peers keep no access log, and neither does the server, unless `--log
//! info` asks for it. Eight connections. Prints a table with the ratios to both peers in the same run, and as its
//! last line the same as one JSON object.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its figures")]

#[path = "../main_job/bare.rs"]
mod bare;
#[expect(dead_code, reason = "the bench of the main job asks more of it")]
#[path = "../main_job/child.rs"]
mod child;
#[expect(dead_code, reason = "the bench of the main job asks more of it")]
#[path = "../main_job/database.rs"]
mod database;
mod nginx;
#[expect(dead_code, reason = "the bench of deliveries asks more of it")]
#[path = "../deliveries/process.rs"]
mod process;
#[path = "../main_job/reads.rs"]
mod reads;
mod site;

use std::collections::BTreeMap;
use std::net::SocketAddr;

use anyhow::{Context as _, Result, bail};

use self::bare::Bare;
use self::database::Engine;
use self::reads::Request;

/// Connections that read.
const CONNECTIONS: usize = 8;

/// A read that is measured: its name, and the request to each peer.
struct Case {
    name: &'static str,
    file: &'static str,
    path: String,
    gzip: bool,
    conditional: bool,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, folder] = arguments.as_slice()
        && first == bare::ARGUMENT
    {
        return bare::serve(folder.as_ref());
    }
    // `cargo test --all-targets` runs benches without it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        eprintln!("nothing measured: run it with `cargo bench --bench reads`");
        return Ok(());
    }
    let after = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).map(String::as_str);
    let rounds = after("--rounds").map_or(Ok(3), str::parse).context("--rounds takes a number")?;
    let engine = match after("--engine").unwrap_or("sqlite") {
        "sqlite" => Engine::Sqlite,
        "postgres" => Engine::Postgres,
        _ => bail!("--engine takes sqlite or postgres"),
    };
    let server = after("--server").unwrap_or(child::BUILT);
    let log_level = after("--log").unwrap_or("warn");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(measure(engine, server, log_level, rounds))
}

async fn measure(engine: Engine, server: &str, log_level: &str, rounds: usize) -> Result<()> {
    let Some(site) = site::Site::start(engine, server, log_level).await? else {
        eprintln!("there is no PostgreSQL here");
        return Ok(());
    };
    let folder = site.files().await?;
    let bare = Bare::start(folder.path())?;
    let nginx = nginx::start(folder.path())?;
    let case =
        |name, file, path: &str, gzip, conditional| Case { name, file, path: path.to_owned(), gzip, conditional };
    let cases = [
        case("304 of a version's file", "small.json", &site.small, false, true),
        case("304 of the live file", "small.json", &site.live, false, true),
        case("small file", "small.json", &site.small, false, false),
        case("564 KB, plain", "large.json", &site.large, false, false),
        case("564 KB, gzip", "large.json", &site.large, true, false),
        case("manifest", "manifest.json", &site.manifest, false, false),
    ];
    // What the publishes have left to do is done, and memory has all files, before anything counts.
    for case in &cases {
        rate((site.server.address, site.server.id()), &case.path, case).await?;
    }
    println!("{engine}: reads per CPU second, medians of {rounds} rounds, log level {log_level}");
    println!("{:<26} {:>10} {:>10} {:>10} {:>8} {:>8}", "", "server", "axum", "nginx", "/axum", "/nginx");
    let mut json = BTreeMap::new();
    for case in cases {
        let beside = format!("/{}", case.file);
        let mut rates: [Vec<f64>; 3] = Default::default();
        for _ in 0..rounds {
            for (rates, (served, path)) in rates.iter_mut().zip([
                (Some((site.server.address, site.server.id())), &case.path),
                (Some((bare.address, bare.id())), &beside),
                (nginx.as_ref().map(|nginx| (nginx.address, nginx.id())), &beside),
            ]) {
                if let Some(served) = served {
                    rates.push(rate(served, path, &case).await.with_context(|| format!("{}: {path}", case.name))?);
                }
            }
        }
        let [own, axum, nginx] = rates.map(median);
        let (to_axum, to_nginx) = (own / axum, own / nginx);
        println!("{:<26} {own:>10.0} {axum:>10.0} {nginx:>10.0} {to_axum:>8.2} {to_nginx:>8.2}", case.name);
        json.insert(case.name, serde_json::json!({"server": own, "axum": axum, "nginx": nginx}));
    }
    println!("{}", serde_json::json!({"engine": engine.to_string(), "unit": "reads per CPU second", "reads": json}));
    Ok(())
}

/// Reads per CPU second of the process that serves at an address.
async fn rate((address, id): (SocketAddr, u32), path: &str, case: &Case) -> Result<f64> {
    let mut request = Request::new(path, case.gzip, None);
    if case.conditional {
        let etag = reads::once(address, &request).await?.etag;
        request = Request::new(path, case.gzip, Some(&etag));
    }
    let before = process::processor_of_family(id);
    let reads = reads::run(address, &request, CONNECTIONS).await?;
    Ok(reads / (process::processor_of_family(id) - before))
}

/// Not a number where nothing was measured.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

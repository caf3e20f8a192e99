//! Endpoints that misbehave, and a server that is killed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use l10n_server::clock::{Clock as _, SystemClock};
use l10n_server::store::Store;
use l10n_server::store::due::{self, Backlog};

use super::Plan;
use super::child::Server;
use super::database::Databases;
use super::load::{Load, Times};
use super::report::{Report, quantile};
use super::sink::{DRIPPING, FINE, HUGE, Sink};

pub(crate) async fn measure(databases: &Databases, plan: &Plan, report: &mut Report) -> Result<()> {
    if plan.wants("huge") {
        huge(databases, report).await?;
    }
    if plan.wants("drip") {
        drip(databases, report).await?;
    }
    if plan.wants("kill") {
        kill(databases, plan, report).await?;
    }
    Ok(())
}

/// An endpoint that answers 200 with 512 MiB, to 32 messages, 16 of them at a time.
async fn huge(databases: &Databases, report: &mut Report) -> Result<()> {
    eprintln!("{}: huge bodies", databases.engine());
    let database = databases.fresh().await?;
    let sink = Sink::start(false).await?;
    let server = Server::start(&database.url(), None, 2, true)?;
    server.subscribe(0, &sink.url(HUGE)).await?;
    let idle = server.peak();
    let times = Times::new(32);
    sink.count(&times);
    Load::closed(8).run(server.record, &times).await?;
    times.arrive(32).await?;
    // The last of them are still being read when they have arrived.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let peak = server.peak();
    let said = format!("32 answers of 512 MiB: memory {idle:.0} -> {peak:.0} MB at most");
    report.fault(databases.engine(), said, peak < 80.0);
    drop(server);
    database.remove().await
}

/// An endpoint that answers 200 and then a byte a second has more messages than slots; another one has ten.
async fn drip(databases: &Databases, report: &mut Report) -> Result<()> {
    eprintln!("{}: dripping bodies", databases.engine());
    let database = databases.fresh().await?;
    let sink = Sink::start(false).await?;
    let server = Server::start(&database.url(), None, 2, true)?;
    server.subscribe(0, &sink.url(DRIPPING)).await?;
    server.subscribe(1, &sink.url(FINE)).await?;
    let times = Times::new(120);
    sink.count(&times);
    // Messages 0, 2, … are of the one that drips; every slot of its is taken before long.
    let load = Load { connections: 8, pace: Some(Duration::from_millis(20)), projects: 2 };
    load.run(server.record, &times).await?;
    let began = Instant::now();
    let healthy = || times.waits(|message| message % 2 == 1);
    while healthy().len() < 60 && began.elapsed() < Duration::from_secs(60) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let waits = healthy();
    let said = format!(
        "a byte a second: {} of 60 messages of the other endpoint arrived, p99 {:.1} ms",
        waits.len(),
        quantile(&waits, 0.99)
    );
    report.fault(databases.engine(), said, waits.len() == 60);
    drop(server);
    database.remove().await
}

/// The server is killed while messages come in 32 at a time, and started again.
async fn kill(databases: &Databases, plan: &Plan, report: &mut Report) -> Result<()> {
    eprintln!("{}: kill -9 under load", databases.engine());
    let database = databases.fresh().await?;
    let sink = Sink::start(false).await?;
    let mut server = Server::start(&database.url(), None, 1, true)?;
    server.subscribe(0, &sink.url(FINE)).await?;
    let times = Times::new(plan.messages(20_000));
    sink.count(&times);
    let record = server.record;
    let load = tokio::spawn({
        let times = Arc::clone(&times);
        async move { Load::closed(32).run(record, &times).await }
    });
    times.arrive(times.len() / 8).await?;
    server.kill()?;
    let broken = load.await?.is_err();
    let (accepted, missing) = (times.accepted(), times.missing());
    let server = Server::start(&database.url(), None, 1, true)?;
    let began = Instant::now();
    times.settle().await?;
    let arrived = began.elapsed().as_secs_f64();
    let stranded = stranded(&database.url()).await?;
    let said = format!(
        "kill -9 under load: {accepted} accepted, {missing} of them not yet delivered; all arrived {arrived:.1} s after the \
         start, {} twice; {stranded} stranded after {:.1} s",
        times.duplicates(),
        began.elapsed().as_secs_f64()
    );
    report.fault(databases.engine(), said, broken && stranded == 0);
    drop(server);
    database.remove().await
}

/// Deliveries that have not ended when twice the time of a lease has passed. What the killed server had in its hands is
/// delivered again by then, on PostgreSQL once its lease has run out.
async fn stranded(database_url: &str) -> Result<i64> {
    let store = Store::connect(database_url).await?;
    let began = Instant::now();
    loop {
        let mut tx = store.begin_read().await?;
        let Backlog { due, planned, in_flight, .. } = due::backlog(&mut tx, SystemClock.now()).await?;
        tx.rollback().await?;
        let waiting = due + planned + in_flight;
        if waiting == 0 || began.elapsed() > Duration::from_secs(60) {
            store.close().await;
            return Ok(waiting);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

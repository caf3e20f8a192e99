//! Messages accepted and delivered per second, the time of each, and the cost.

use anyhow::Result;

use super::Plan;
use super::child::Server;
use super::database::Databases;
use super::load::{Load, Times};
use super::report::{Report, Speed};
use super::sink::{FINE, Sink};

pub(crate) async fn measure(databases: &Databases, plan: &Plan, tls: bool, report: &mut Report) -> Result<()> {
    for (name, connections, messages) in
        [("3,000, one at a time", 1, 3_000), ("10,000, 8 at a time", 8, 10_000), ("10,000, 32 at a time", 32, 10_000)]
    {
        let name = label(name, tls);
        if plan.wants(&name) {
            eprintln!("{}: {name}", databases.engine());
            let speed = stream(databases, tls, Load::closed(connections), plan.messages(messages)).await?;
            report.speed(databases.engine(), name, speed);
        }
    }
    let name = label("drain of 10,000", tls);
    if plan.wants(&name) {
        eprintln!("{}: {name}", databases.engine());
        let speed = drain(databases, tls, plan.messages(10_000)).await?;
        report.speed(databases.engine(), name, speed);
    }
    Ok(())
}

fn label(name: &str, tls: bool) -> String {
    if tls { format!("{name}, TLS") } else { name.to_owned() }
}

async fn stream(databases: &Databases, tls: bool, load: Load, messages: usize) -> Result<Speed> {
    let database = databases.fresh().await?;
    let sink = Sink::start(tls).await?;
    let server = Server::start(&database.url(), sink.ca(), 1, true)?;
    server.subscribe(0, &sink.url(FINE)).await?;
    // Connections, plans and caches are as in a server that has been up for a while.
    let warm = Times::new(200);
    sink.count(&warm);
    load.run(server.record, &warm).await?;
    warm.arrive(warm.len()).await?;

    let times = Times::new(messages);
    sink.count(&times);
    let before = (server.processor(), databases.processor());
    let began = times.now();
    load.run(server.record, &times).await?;
    times.arrive(messages).await?;
    let speed = Speed::of(&times, began, before, (server.processor(), databases.processor()), server.peak());
    drop(server);
    database.remove().await?;
    Ok(speed)
}

/// A process that delivers nothing records the events; another one then starts with all of them waiting.
async fn drain(databases: &Databases, tls: bool, messages: usize) -> Result<Speed> {
    let database = databases.fresh().await?;
    let sink = Sink::start(tls).await?;
    let times = Times::new(messages);
    sink.count(&times);
    let server = Server::start(&database.url(), sink.ca(), 1, true)?;
    server.subscribe(0, &sink.url(FINE)).await?;
    drop(server);
    let recorder = Server::start(&database.url(), sink.ca(), 1, false)?;
    Load::closed(32).run(recorder.record, &times).await?;
    drop(recorder);
    anyhow::ensure!(times.arrivals() == 0, "nothing is delivered while nobody delivers");

    let before = databases.processor();
    // With the start of the process, whose work is a part of it.
    let began = times.now();
    let server = Server::start(&database.url(), sink.ca(), 1, true)?;
    times.arrive(messages).await?;
    let mut speed = Speed::of(&times, began, (0.0, before), (server.processor(), databases.processor()), server.peak());
    // They have waited since long before.
    speed.waits = Vec::new();
    drop(server);
    database.remove().await?;
    Ok(speed)
}

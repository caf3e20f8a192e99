//! Ten endpoints, one of which hangs: how long the other nine wait for their messages, with it and without it.

use std::time::Duration;

use anyhow::Result;

use super::Plan;
use super::child::Server;
use super::database::Databases;
use super::load::{Load, Times};
use super::report::{Report, quantile};
use super::sink::{FINE, HANGING, Sink};

const ENDPOINTS: usize = 10;
const PAIRS: usize = 3;
/// 200 messages a second, 20 for each endpoint.
const PACE: Duration = Duration::from_millis(5);

pub(crate) async fn measure(databases: &Databases, plan: &Plan, report: &mut Report) -> Result<()> {
    if !plan.wants("hanging") {
        return Ok(());
    }
    let mut ratios = Vec::new();
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for pair in 0..PAIRS {
        eprintln!("{}: one of ten hanging, pair {} of {PAIRS}", databases.engine(), pair + 1);
        let messages = plan.messages(2_400);
        // Who is first alternates.
        let (first, second) = if pair % 2 == 0 { (false, true) } else { (true, false) };
        let (one, other) = (nine(databases, first, messages).await?, nine(databases, second, messages).await?);
        let (calm, crowded) = if pair % 2 == 0 { (one, other) } else { (other, one) };
        ratios.push(quantile(&crowded, 0.99) / quantile(&calm, 0.99));
        with.push(quantile(&crowded, 0.99));
        without.push(quantile(&calm, 0.99));
    }
    for list in [&mut ratios, &mut with, &mut without] {
        list.sort_by(f64::total_cmp);
    }
    let median = |list: &[f64]| quantile(list, 0.5);
    report.crowd(databases.engine(), median(&without), median(&with), median(&ratios));
    Ok(())
}

/// Waits of the nine, in milliseconds.
async fn nine(databases: &Databases, hanging: bool, messages: usize) -> Result<Vec<f64>> {
    let database = databases.fresh().await?;
    let sink = Sink::start(false).await?;
    let server = Server::start(&database.url(), None, ENDPOINTS, true)?;
    for project in 0..ENDPOINTS {
        server.subscribe(project, &sink.url(if hanging && project == 0 { HANGING } else { FINE })).await?;
    }
    let load = Load { connections: 16, pace: Some(PACE), projects: ENDPOINTS };
    let warm = Times::new(messages / 4);
    sink.count(&warm);
    load.run(server.record, &warm).await?;
    let of_the_nine = |count: usize| count - count.div_ceil(ENDPOINTS);
    warm.arrive(of_the_nine(warm.len())).await?;
    let times = Times::new(messages);
    sink.count(&times);
    load.run(server.record, &times).await?;
    // Of the tenth, as many as found a slot have arrived as well.
    times.wait(|| times.waits(|message| message % ENDPOINTS != 0).len() == of_the_nine(messages)).await?;
    drop(server);
    database.remove().await?;
    Ok(times.waits(|message| message % ENDPOINTS != 0))
}

//! Figures and the tables of them.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::database::Engine;
use super::load::Times;

/// Everything measured.
#[derive(Default)]
pub(crate) struct Report {
    speeds: Vec<(Engine, String, Speed)>,
    crowds: Vec<(Engine, [f64; 3])>,
    faults: Vec<(Engine, String, bool)>,
}

/// One run.
pub(crate) struct Speed {
    /// Messages in a second, from the first request to the last receipt.
    rate: f64,
    /// Milliseconds from accept to receipt, in order.
    pub(crate) waits: Vec<f64>,
    /// Processor seconds for 1,000 messages.
    server: f64,
    database: f64,
    /// MB.
    peak: f64,
}

/// The aim of a run: messages in a second, milliseconds at p99, processor seconds of the server, MB.
struct Aim {
    rate: Option<f64>,
    p99: Option<f64>,
    server: Option<f64>,
    peak: f64,
}

impl Speed {
    /// Of messages from `began` on, with processor seconds of server and database before and after.
    pub(crate) fn of(times: &Times, began: u64, before: (f64, f64), after: (f64, f64), peak: f64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "there are some thousands")]
        let messages = times.len() as f64;
        let passed = Duration::from_nanos(times.last().saturating_sub(began)).as_secs_f64();
        let cost = |before: f64, after: f64| (after - before) * 1_000.0 / messages;
        Self {
            rate: messages / passed,
            waits: times.waits(|_| true),
            server: cost(before.0, after.0),
            database: cost(before.1, after.1),
            peak,
        }
    }

    fn columns(&self) -> [f64; 6] {
        let [p50, p99] = [0.5, 0.99].map(|q| quantile(&self.waits, q));
        [self.rate, p50, p99, self.server, self.database, self.peak]
    }
}

/// The target on two cores, without TLS.
fn aim(engine: Engine, run: &str) -> Aim {
    let mut aim = Aim { rate: None, p99: None, server: None, peak: 60.0 };
    match (run, engine) {
        ("3,000, one at a time", _) => aim.p99 = Some(5.0),
        ("drain of 10,000", Engine::Sqlite) => (aim.rate, aim.server) = (Some(6_000.0), Some(0.25)),
        ("drain of 10,000", Engine::Postgres) => (aim.rate, aim.server) = (Some(3_000.0), Some(0.25)),
        _ => {}
    }
    aim
}

impl Aim {
    fn misses(&self, speed: &Speed) -> Vec<String> {
        let [rate, _, p99, server, _, peak] = speed.columns();
        let mut misses = Vec::new();
        let mut hold = |met: bool, text: String| {
            if !met {
                misses.push(text);
            }
        };
        if let Some(aim) = self.rate {
            hold(rate >= aim, format!("{aim:.0}/s"));
        }
        if let Some(aim) = self.p99 {
            hold(p99 < aim, format!("p99 {aim} ms"));
        }
        if let Some(aim) = self.server {
            hold(server <= aim, format!("{aim} cpu s"));
        }
        hold(peak < self.peak, format!("{} MB", self.peak));
        misses
    }
}

impl Report {
    pub(crate) fn speed(&mut self, engine: Engine, run: String, speed: Speed) {
        // At once as well: the whole takes minutes.
        eprintln!("{}", row(engine, &run, &speed));
        self.speeds.push((engine, run, speed));
    }

    /// Milliseconds at p99 of the nine without and with the one that hangs, and how much longer that is.
    pub(crate) fn crowd(&mut self, engine: Engine, without: f64, with: f64, ratio: f64) {
        self.crowds.push((engine, [without, with, ratio]));
    }

    pub(crate) fn fault(&mut self, engine: Engine, said: String, met: bool) {
        self.faults.push((engine, said, met));
    }

    pub(crate) fn json(&self) -> String {
        let number = |number: f64| if number.is_nan() { Value::Null } else { json!((number * 1e4).round() / 1e4) };
        let speeds = self.speeds.iter().map(|(engine, run, speed)| {
            let [rate, p50, p99, server, database, peak] = speed.columns().map(number);
            json!({
                "engine": engine.to_string(), "run": run, "perSecond": rate, "p50Ms": p50, "p99Ms": p99,
                "serverCpuSecondsPer1000": server, "databaseCpuSecondsPer1000": database, "peakMB": peak,
                "misses": aim(*engine, run).misses(speed),
            })
        });
        let crowds = self.crowds.iter().map(|(engine, figures)| {
            let [without, with, ratio] = figures.map(number);
            json!({"engine": engine.to_string(), "p99MsWithout": without, "p99MsWith": with, "ratio": ratio})
        });
        let faults = self
            .faults
            .iter()
            .map(|(engine, said, met)| json!({"engine": engine.to_string(), "said": said, "met": met}));
        json!({
            "speeds": speeds.collect::<Vec<_>>(), "oneOfTenHanging": crowds.collect::<Vec<_>>(),
            "faults": faults.collect::<Vec<_>>(),
        })
        .to_string()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:9} {:26} {:>8} {:>8} {:>8} {:>13} {:>13} {:>8}  aims missed",
            "engine", "run", "/s", "p50 ms", "p99 ms", "cpu s /1,000", "db s /1,000", "peak MB"
        )?;
        for (engine, run, speed) in &self.speeds {
            writeln!(f, "{}", row(*engine, run, speed))?;
        }
        for (engine, [without, with, ratio]) in &self.crowds {
            let met = if *ratio <= 1.5 { "" } else { ": MISSED" };
            writeln!(
                f,
                "{engine}: one endpoint of ten hangs: p99 of the others {without:.2} -> {with:.2} ms, {ratio:.2} times{met}"
            )?;
        }
        for (engine, said, met) in &self.faults {
            writeln!(f, "{engine}: {said}{}", if *met { "" } else { ": MISSED" })?;
        }
        Ok(())
    }
}

fn row(engine: Engine, run: &str, speed: &Speed) -> String {
    let [rate, p50, p99, server, database, peak] = speed.columns();
    let shown = |number: f64, digits: usize| if number.is_nan() { String::new() } else { format!("{number:.digits$}") };
    format!(
        "{:9} {run:26} {:>8} {:>8} {:>8} {:>13} {:>13} {:>8}  {}",
        engine.to_string(),
        shown(rate, 0),
        shown(p50, 2),
        shown(p99, 2),
        shown(server, 3),
        shown(database, 3),
        shown(peak, 0),
        aim(engine, run).misses(speed).join(", ")
    )
}

/// Of a list in order; not a number where it is empty.
pub(crate) fn quantile(sorted: &[f64], q: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index"
    )]
    let at = (q * sorted.len() as f64) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

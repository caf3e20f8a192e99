//! The table.

use std::fmt;

use serde_json::{Value, json};

use super::database::Engine;
use super::victim::Waits;

/// Aims of the ratios.
const P50: f64 = 3.0;
const P99: f64 = 10.0;

#[derive(Default)]
pub(crate) struct Report(Vec<Row>);

struct Row {
    engine: Engine,
    case: &'static str,
    kind: &'static str,
    /// Median and 99th percentile, in milliseconds.
    alone: [f64; 2],
    beside: [f64; 2],
    refused: usize,
}

impl Report {
    pub(crate) fn add(&mut self, engine: Engine, case: &'static str, alone: &Waits, beside: &Waits) {
        for (kind, waits) in &beside.kinds {
            let Some((_, before)) = alone.kinds.iter().find(|(other, _)| other == kind) else { continue };
            let (alone, percentiles) = (percentiles(before), percentiles(waits));
            self.0.push(Row { engine, case, kind, alone, beside: percentiles, refused: beside.refused });
        }
    }

    pub(crate) fn holds_aims(&self) -> bool {
        self.0.iter().all(Row::holds_aims)
    }

    pub(crate) fn json(&self) -> Value {
        let rows = self.0.iter().map(|row| {
            json!({ "engine": row.engine.to_string(), "case": row.case, "kind": row.kind, "alone": row.alone,
                "beside": row.beside, "ratios": row.ratios(), "refused": row.refused })
        });
        json!({ "neighbours": rows.collect::<Vec<_>>() })
    }
}

impl Row {
    fn ratios(&self) -> [f64; 2] {
        [self.beside[0] / self.alone[0], self.beside[1] / self.alone[1]]
    }

    fn holds_aims(&self) -> bool {
        let [p50, p99] = self.ratios();
        p50 <= P50 && p99 <= P99 && self.refused == 0
    }
}

fn percentiles(waits: &[f64]) -> [f64; 2] {
    let mut sorted = waits.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |percent: usize| sorted.get((sorted.len() * percent / 100).min(sorted.len() - 1)).copied();
    [50, 99].map(|percent| at(percent).unwrap_or(f64::NAN))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<9}{:<22}{:<21}{:>8}{:>8}  {:>16}{:>18}  refused",
            "engine", "beside", "victim", "p50", "p99", "p50 ms", "p99 ms"
        )?;
        for row in &self.0 {
            let ([p50, p99], aim) = (row.ratios(), if row.holds_aims() { "" } else { "  over the aim" });
            let pair = |at: usize| format!("{:.1} → {:.1}", row.alone[at], row.beside[at]);
            writeln!(
                f,
                "{:<9}{:<22}{:<21}{p50:>7.1}x{p99:>7.1}x  {:>16}{:>18}  {}{aim}",
                row.engine.to_string(),
                row.case,
                row.kind,
                pair(0),
                pair(1),
                row.refused
            )?;
        }
        Ok(())
    }
}

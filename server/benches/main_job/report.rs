//! Figures, their medians, and the table of them.

use std::fmt;

use super::database::Engine;

/// Everything measured, in the order in which it first was.
#[derive(Default)]
pub(crate) struct Report(Vec<Figure>);

/// One step on one engine.
struct Figure {
    engine: Engine,
    step: &'static str,
    unit: &'static str,
    samples: Vec<f64>,
    processor: Vec<f64>,
    peak: Vec<f64>,
    beside: Option<(&'static str, Vec<f64>)>,
    aim: Option<f64>,
}

/// A figure to add samples to.
pub(crate) struct Entry<'a>(&'a mut Figure);

impl Report {
    pub(crate) fn add(&mut self, engine: Engine, step: &'static str, unit: &'static str, sample: f64) -> Entry<'_> {
        let at = self.0.iter().position(|figure| figure.engine == engine && figure.step == step).unwrap_or_else(|| {
            self.0.push(Figure {
                engine,
                step,
                unit,
                samples: Vec::new(),
                processor: Vec::new(),
                peak: Vec::new(),
                beside: None,
                aim: None,
            });
            self.0.len() - 1
        });
        let figure = &mut self.0[at];
        figure.samples.push(sample);
        Entry(figure)
    }

    /// A peer of a step that was added before.
    pub(crate) fn beside(&mut self, engine: Engine, step: &str, name: &'static str, sample: f64) {
        if let Some(figure) = self.0.iter_mut().find(|figure| figure.engine == engine && figure.step == step) {
            Entry(figure).beside(name, sample);
        }
    }

    pub(crate) fn has(&self, engine: Engine) -> bool {
        self.0.iter().any(|figure| figure.engine == engine)
    }

    pub(crate) fn json(&self) -> String {
        let figures = self.0.iter().map(|figure| {
            serde_json::json!({
                "engine": figure.engine.to_string(), "step": figure.step, "unit": figure.unit,
                "median": rounded(median(&figure.samples)),
                "samples": figure.samples.iter().map(|sample| rounded(*sample)).collect::<Vec<_>>(),
                "processorSeconds": rounded(median(&figure.processor)), "peakMiB": rounded(median(&figure.peak)),
                "beside": figure.beside.as_ref().map(|(name, _)| name), "ratio": rounded(figure.ratio()),
                "aim": figure.aim, "met": figure.met(),
            })
        });
        serde_json::json!({ "figures": figures.collect::<Vec<_>>() }).to_string()
    }
}

impl Entry<'_> {
    /// Processor seconds of the server, and its peak of memory in MiB.
    pub(crate) fn cost(self, (processor, peak): (f64, f64)) -> Self {
        self.0.processor.push(processor);
        self.0.peak.push(peak);
        self
    }

    /// Adds a figure for comparison.
    pub(crate) fn beside(self, name: &'static str, sample: f64) -> Self {
        self.0.beside.get_or_insert_with(|| (name, Vec::new())).1.push(sample);
        self
    }

    /// The figure that it is not to exceed.
    pub(crate) fn aim(self, aim: f64) -> Self {
        self.0.aim = Some(aim);
        self
    }
}

impl Figure {
    /// Of samples that were taken in pairs, the median of the ratios; else the ratio of the medians.
    fn ratio(&self) -> f64 {
        let Some((_, beside)) = &self.beside else { return f64::NAN };
        if beside.len() == self.samples.len() {
            let ratios: Vec<f64> = self.samples.iter().zip(beside).map(|(own, other)| own / other).collect();
            return median(&ratios);
        }
        median(&self.samples) / median(beside)
    }

    fn met(&self) -> Option<bool> {
        self.aim.map(|aim| median(&self.samples) <= aim)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["engine", "step", "median", "least", "most", "cpu s", "peak MiB", "aim", "ratio", "to"];
        let rows: Vec<Vec<String>> = self
            .0
            .iter()
            .map(|figure| {
                let least = figure.samples.iter().copied().fold(f64::INFINITY, f64::min);
                let most = figure.samples.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let aim = figure.aim.map_or(String::new(), |aim| {
                    format!("{} {}", shown(aim), if figure.met() == Some(true) { "met" } else { "MISSED" })
                });
                vec![
                    figure.engine.to_string(),
                    figure.step.to_owned(),
                    format!("{} {}", shown(median(&figure.samples)), figure.unit),
                    shown(least),
                    shown(most),
                    shown(median(&figure.processor)),
                    shown(median(&figure.peak)),
                    aim,
                    shown(figure.ratio()),
                    figure.beside.as_ref().map_or("", |(name, _)| name).to_owned(),
                ]
            })
            .collect();
        let rows: Vec<Vec<String>> =
            std::iter::once(head.iter().map(|&name| name.to_owned()).collect()).chain(rows).collect();
        let width =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        for row in &rows {
            for (column, cell) in row.iter().enumerate() {
                let width = width(column).unwrap_or_default();
                if matches!(column, 0 | 1 | 9) { write!(f, "{cell:width$}  ")? } else { write!(f, "{cell:>width$}  ")? }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Not a number where there is none.
fn median(samples: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = samples.iter().copied().filter(|sample| !sample.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    match (sorted.get(sorted.len() / 2), sorted.len().is_multiple_of(2)) {
        (Some(upper), true) => f64::midpoint(*upper, sorted[sorted.len() / 2 - 1]),
        (Some(middle), false) => *middle,
        (None, _) => f64::NAN,
    }
}

fn rounded(number: f64) -> Option<f64> {
    (!number.is_nan()).then(|| (number * 10_000.0).round() / 10_000.0)
}

fn shown(number: f64) -> String {
    match number {
        _ if number.is_nan() => String::new(),
        _ if number.abs() >= 100.0 => format!("{number:.0}"),
        _ if number.abs() >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.3}"),
    }
}

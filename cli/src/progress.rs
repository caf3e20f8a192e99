//! A progress bar on a terminal; nothing in pipes, with `--json` or `--quiet`, and in CI.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::printer::Printer;

/// A bar that goes away when it is dropped.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar for `total` steps; 0 means an unknown number.
    pub(crate) fn new(printer: &Printer, what: &str, total: u64) -> Self {
        if !printer.shows_progress() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let template = if total == 0 { "{spinner} {msg}" } else { "{msg} {wide_bar} {pos}/{len} {elapsed}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    pub(crate) fn set(&self, position: u64) {
        self.0.set_position(position);
    }

    /// Shows the current step.
    pub(crate) fn say(&self, what: String) {
        self.0.set_message(what);
    }

    pub(crate) fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

//! The progress of a run: a changing line on a terminal, and only the run's name elsewhere.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use l10n_testkit::outcome::Status;
use l10n_testkit::runner::{Observer, RunEvent};

use super::output::complain;

/// An observer that draws on standard error, if that is a terminal.
pub(crate) fn observer() -> (Observer, ProgressBar) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        return (Observer::new(begun), bar);
    }
    if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} [{wide_bar}] {pos}/{len} {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    let (drawn, running, broken) = (bar.clone(), Arc::new(Mutex::new(Vec::new())), AtomicUsize::new(0));
    let observer = Observer::new(move |event| {
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            RunEvent::Planned(_, count) => {
                begun(event);
                drawn.set_length(u64::try_from(count).unwrap_or(u64::MAX));
            }
            RunEvent::WillTake(..) => drawn.suspend(|| begun(event)),
            RunEvent::Note(text) => drawn.println(text),
            RunEvent::Began(check) => running.push(check.id),
            RunEvent::Ended(record) => {
                running.retain(|id| *id != record.check.id);
                if matches!(record.status, Status::Fail | Status::Error) {
                    broken.fetch_add(1, Ordering::Relaxed);
                    drawn.println(format!("{:5} {}", record.status.name(), record.check.id));
                }
                drawn.inc(1);
            }
            _ => {}
        }
        let failed = match broken.load(Ordering::Relaxed) {
            0 => String::new(),
            count => format!("{count} failed, "),
        };
        drawn.set_message(format!("{failed}now {}", brief(&running)));
    });
    (observer, bar)
}

/// The duration of a shorter run is not told.
const SHORT: Duration = Duration::from_secs(60);

/// With so many lanes, more make no run faster.
const MANY: usize = 30;

/// Prints the name of the run, which its webhooks carry, and how long it will take.
fn begun(event: RunEvent<'_>) {
    match event {
        RunEvent::Planned(run, count) => complain(&format!("run {run}: {count} checks")),
        RunEvent::WillTake(time, lanes) if time >= SHORT => {
            let minutes = time.as_secs().div_ceil(60);
            let why = if lanes < MANY { "; more lanes (projects) in the profile make it faster" } else { "" };
            complain(&format!(
                "it will take about {minutes} min in {lanes} lane{}{why}",
                if lanes == 1 { "" } else { "s" }
            ));
        }
        _ => {}
    }
}

fn brief(running: &[&str]) -> String {
    let named = running.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    if running.len() > 3 { format!("{named} and {} more", running.len() - 3) } else { named }
}

//! Reports long waits: the pause of a rate limit takes a minute, and silence looks like a hang.

use std::fmt::{Debug, Write as _};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::printer::Printer;

/// Shorter waits are not reported.
const SHORTEST_SECONDS: f64 = 3.0;

/// Turns the client's log events about retries into notes for people.
#[derive(Debug)]
pub(crate) struct WaitNotes(Printer);

impl WaitNotes {
    pub(crate) fn new(printer: Printer) -> Self {
        Self(printer)
    }
}

/// The fields of an event about a wait.
#[derive(Debug, Default)]
struct Fields {
    pause: Option<f64>,
    error: String,
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "pause" => self.pause = seconds(&format!("{value:?}")),
            "error" => {
                self.error.clear();
                // Writing to a string cannot fail.
                let _ = write!(self.error, "{value:?}");
            }
            _ => {}
        }
    }
}

impl<S: Subscriber> Layer<S> for WaitNotes {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if !event.metadata().target().starts_with("l10n_client") {
            return;
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        if let Some(pause) = fields.pause.filter(|pause| *pause >= SHORTEST_SECONDS) {
            let reason = fields.error.split([';', '(']).next().unwrap_or_default().trim();
            self.0.note(format!("{reason}: waiting {pause:.0} s before the next attempt"));
        }
    }
}

/// Parses the `Debug` output of a `Duration` in seconds: `60.2s`.
fn seconds(text: &str) -> Option<f64> {
    text.strip_suffix('s')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_waits_of_seconds_count() {
        assert_eq!(seconds(&format!("{:?}", Duration::from_secs(60))), Some(60.0));
        assert_eq!(seconds(&format!("{:?}", Duration::from_millis(2_500))), Some(2.5));
        assert_eq!(seconds(&format!("{:?}", Duration::from_millis(999))), None);
    }
}

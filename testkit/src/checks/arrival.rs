//! The parts of a delivery that checks of several groups read.

use serde_json::Value;

use crate::cx::{Cx, Endpoint};
use crate::outcome::{NotRun, Stop};
use crate::receiver::Delivery;

/// The event; null where the body is no JSON.
pub(super) fn event(delivery: &Delivery) -> Value {
    serde_json::from_slice(&delivery.body).unwrap_or(Value::Null)
}

/// The id of the event, by its body.
pub(super) fn event_id(delivery: &Delivery) -> String {
    event(delivery)["id"].as_str().unwrap_or_default().to_owned()
}

/// Deliveries of one event alone: while a check waits for long, other publishes of its project arrive as well.
pub(super) fn of_event(deliveries: &[Delivery], event_id: &str) -> Vec<Delivery> {
    deliveries.iter().filter(|one| one.header("x-service-event-id") == Some(event_id)).cloned().collect()
}

/// Waits until so many deliveries of an event have arrived, and returns these.
pub(super) async fn arrivals(endpoint: &Endpoint, event_id: &str, count: usize) -> Result<Vec<Delivery>, Stop> {
    let what = format!("{count} deliveries of {event_id}");
    let all = endpoint.wait_until(&what, |all| of_event(all, event_id).len() >= count).await?;
    Ok(of_event(&all, event_id))
}

/// The parsed `X-Service-Signature`, as far as it is valid.
#[derive(Debug, Default)]
pub(super) struct Signature {
    /// The header as it came.
    pub(super) text: String,
    /// Unix seconds.
    pub(super) t: Option<i64>,
    /// Each `v1`.
    pub(super) values: Vec<String>,
}

/// Reads the signature of a delivery.
pub(super) fn signature(delivery: &Delivery) -> Signature {
    let text = delivery.header("x-service-signature").unwrap_or_default().to_owned();
    let mut read = Signature { text: text.clone(), ..Signature::default() };
    for part in text.split([',', ';']) {
        match part.trim().split_once('=') {
            Some(("t", value)) => read.t = value.parse().ok(),
            Some(("v1", value)) => read.values.push(value.to_owned()),
            _ => {}
        }
    }
    read
}

/// Returns true for an ISO 8601 timestamp with milliseconds, in UTC.
pub(super) fn is_timestamp(text: &str) -> bool {
    const SHAPE: &str = "dddd-dd-ddTdd:dd:dd.ddd";
    let stem = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00"));
    stem.is_some_and(|stem| {
        let fits = |(seen, shape): (char, char)| if shape == 'd' { seen.is_ascii_digit() } else { seen == shape };
        stem.len() == SHAPE.len() && stem.chars().zip(SHAPE.chars()).all(fits) && millis(text).is_some()
    })
}

/// A timestamp in milliseconds since 1970.
pub(super) fn millis(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

/// Asserts that a moment lies within a range around the one that is due, all in milliseconds. A clock that goes faster than
/// ours widens the range by what a busy machine does to it; where that would say nothing any more, nothing is said.
pub(super) fn ensure_between(cx: &Cx, what: &str, due: i64, before: i64, after: i64, seen: i64) -> Result<(), Stop> {
    let (off, noise) = (seen - due, cx.noise());
    if noise > before + after {
        return Err(Stop::NotRun(NotRun::Clock(format!("{what} cannot be told by a clock that goes so fast"))));
    }
    let (before, after) = (before + noise, after + noise);
    cx.ensure(
        -before <= off && off <= after,
        format!("{what}, at most {before} ms too early and {after} ms too late"),
        format!("{off} ms after it was due"),
    )
}

#[cfg(test)]
mod tests {
    use super::is_timestamp;

    #[test]
    fn a_timestamp_has_milliseconds_and_is_utc() {
        assert!(is_timestamp("2026-11-21T08:00:00.000Z") && is_timestamp("2026-11-21T08:00:00.123+00:00"));
        for text in ["2026-11-21T08:00:00Z", "2026-11-21T08:00:00.000000Z", "2026-11-21T08:00:00.000+01:00", "", "x"] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}

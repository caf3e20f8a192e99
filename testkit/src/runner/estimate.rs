//! Estimates how long a run takes, before it begins. With few lanes it waits for the request budgets of their projects.

use std::time::Duration;

use crate::check::Check;

/// Requests of a check with its clean-up, on average over the suite.
const REQUESTS: usize = 13;

/// The time of a check in its lane besides, on average.
const WORK: Duration = Duration::from_millis(500);

const WINDOW: Duration = Duration::from_secs(60);

/// The capacity of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capacity {
    /// Projects that checks work in at once.
    pub(super) lanes: usize,
    /// Requests that each of them gets in a minute.
    pub(super) requests_per_minute: usize,
}

/// An estimate for these checks, each with the time that it waits by our clock; those after `alone` run one after the other.
pub(super) fn estimate(together: &[(&Check, Duration)], alone: &[(&Check, Duration)], capacity: Capacity) -> Duration {
    let Capacity { lanes, requests_per_minute } = capacity;
    let count = together.len() + alone.len();
    // The first minute's requests need no wait.
    let windows = count * REQUESTS / (lanes.max(1) * requests_per_minute.max(1));
    let pacing = WINDOW * u32::try_from(windows).unwrap_or(u32::MAX);
    let longest = together.iter().map(|(_, wait)| *wait).max().unwrap_or_default();
    let one_by_one: Duration = alone.iter().map(|(_, wait)| *wait + WORK).sum();
    let work = WORK * u32::try_from(together.len().div_ceil(lanes.max(1))).unwrap_or(u32::MAX);
    pacing.max(longest) + one_by_one + work
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_lanes_take_longer_and_no_run_is_shorter_than_its_longest_wait() {
        let checks: Vec<_> = crate::checks::all().into_iter().map(|check| (check, Duration::ZERO)).collect();
        let with = |lanes| estimate(&checks, &[], Capacity { lanes, requests_per_minute: 100 });
        assert!(with(1) > WINDOW * 10 && with(1) > with(6) && with(6) > with(32), "{:?} {:?}", with(1), with(6));
        let waits = [(checks[0].0, Duration::from_secs(155)), (checks[1].0, Duration::from_secs(31))];
        let capacity = Capacity { lanes: 32, requests_per_minute: 100 };
        assert_eq!(estimate(&waits, &[], capacity).as_secs(), 155);
        assert_eq!(estimate(&[], &waits, capacity).as_secs(), 155 + 31 + 1, "one after the other");
    }
}

//! The deployment's clock.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::outcome::{NotRun, Stop};
use crate::profile::{Profile, TimeProfile};
use crate::wire::{Exchange, Http};

/// The deployment's clock: its offset and speed, and the way to move it.
#[derive(Debug)]
pub(crate) struct DeploymentClock {
    time: TimeProfile,
    started: i64,
    /// By how much it was moved, in milliseconds.
    moved: AtomicI64,
    /// By how much it is ahead of ours, in milliseconds.
    skew: AtomicI64,
}

impl DeploymentClock {
    pub(crate) fn new(profile: &Profile) -> Self {
        let (moved, skew) = (AtomicI64::new(0), AtomicI64::new(0));
        Self { time: profile.time.clone(), started: system_now(), moved, skew }
    }

    /// Its time, in milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        let ours = system_now();
        let scale = i64::from(self.time.scale.unwrap_or(1)) - 1;
        ours + (ours - self.started) * scale + self.moved.load(Ordering::SeqCst) + self.skew.load(Ordering::SeqCst)
    }

    pub(crate) fn can_be_moved(&self) -> bool {
        !self.time.clock.is_empty()
    }

    /// Converts a duration of the deployment's clock to ours.
    pub(crate) fn real(&self, time: Duration) -> Result<Duration, Stop> {
        let real = self.real_time_of(time);
        if real <= self.time.longest_wait() {
            return Ok(real);
        }
        let longest = self.time.longest_wait();
        Err(Stop::NotRun(NotRun::Clock(format!("it waits {real:?}, but time.longest_wait is {longest:?}"))))
    }

    /// Converts a duration of the deployment's clock to ours, without a limit.
    pub(crate) fn real_time_of(&self, time: Duration) -> Duration {
        time / self.time.scale.unwrap_or(1).max(1)
    }

    /// The reason why a check with this waiting time is not run.
    pub(crate) fn too_long(&self, time: Duration) -> Option<NotRun> {
        if self.can_be_moved() {
            return None;
        }
        match self.real(time) {
            Err(Stop::NotRun(reason)) => Some(reason),
            _ => None,
        }
    }

    /// Learns how far ahead it is from an answer that has just come.
    pub(crate) fn learn(&self, answer: &Exchange) {
        if let Some(skew) = skew(answer, system_now()) {
            self.skew.store(skew, Ordering::SeqCst);
        }
    }

    /// By how much it was found to be ahead of ours, in milliseconds.
    pub(crate) fn skew(&self) -> i64 {
        self.skew.load(Ordering::SeqCst)
    }

    /// Moves it forwards, by whole seconds and not less than `by`. Returns by how much.
    pub(super) async fn advance(&self, http: &Http, by: Duration) -> Result<Duration, Stop> {
        let by = whole_seconds(by);
        for url in &self.time.clock {
            http.advance(url, by).await.map_err(|error| Stop::Error(format!("the clock hook {url}: {error}")))?;
        }
        self.moved.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
        Ok(by)
    }
}

/// By how much the clock behind an answer is ahead of ours, in milliseconds, as far as its `Date` tells: whole seconds.
pub(crate) fn skew(answer: &Exchange, read_at: i64) -> Option<i64> {
    ahead_of(answer.header("date")?, read_at, answer.took)
}

/// By how much a clock that says `date` (RFC 9110) is ahead of ours, when an answer that took so long has just come.
pub(crate) fn ahead_of(date: &str, read_at: i64, took: Duration) -> Option<i64> {
    let date = jiff::fmt::rfc2822::parse(date).ok()?.timestamp().as_millisecond();
    let took = i64::try_from(took.as_millis()).unwrap_or_default();
    // `Date` is cut to the second: on average it lies half a second back.
    let ahead = date + 500 - (read_at - took / 2);
    Some(if ahead.abs() <= 1_500 + took / 2 { 0 } else { ahead })
}

/// Rounds up to whole seconds, which clock hooks take. Otherwise fractions that only we counted would add up.
const fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs() + (time.subsec_nanos() > 0) as u64)
}

/// Our own time, in milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "this is the suite's clock")]
pub(crate) fn system_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_moved_by_whole_seconds() {
        for (millis, seconds) in [(0, 0), (1, 1), (999, 1), (1_000, 1), (1_001, 2), (61_897, 62)] {
            assert_eq!(whole_seconds(Duration::from_millis(millis)), Duration::from_secs(seconds));
        }
    }

    #[test]
    fn the_date_of_an_answer_tells_how_far_ahead_the_clock_is() {
        let answer = |date: &str| Exchange {
            request: crate::wire::Request {
                method: http::Method::GET,
                url: String::new(),
                headers: http::HeaderMap::new(),
                body: bytes::Bytes::new(),
            },
            status: 200,
            headers: [(http::header::DATE, date.parse().unwrap())].into_iter().collect(),
            body: bytes::Bytes::new(),
            at: 0,
            took: Duration::from_millis(100),
        };
        // Sat, 01 Jan 2000 00:00:00 GMT.
        let then = 946_684_800_000;
        let date = "Sat, 01 Jan 2000 00:00:00 GMT";
        for within in [-900, 0, 500, 1_000] {
            assert_eq!(skew(&answer(date), then + within), Some(0), "{within}");
        }
        assert_eq!(skew(&answer(date), then - 60_000), Some(60_550));
        assert_eq!(skew(&answer(date), then + 60_000), Some(-59_450));
        assert_eq!(skew(&answer("yesterday"), then), None);
    }
}

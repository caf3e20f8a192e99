//! Keeps requests under each project's budget (§8: 120 in 60 seconds).

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

const WINDOW: Duration = Duration::from_secs(60);

/// The requests of the last minute, by project. Minutes are those of the deployment: where its clock is moved, they are
/// over sooner than ours.
#[derive(Debug)]
pub(crate) struct Pacer {
    most: usize,
    requests: Mutex<Requests>,
    /// Wakes those who wait for a minute that a move of the clock has ended.
    moved: Notify,
}

#[derive(Debug, Default)]
struct Requests {
    /// By how much the deployment's clock was moved.
    ahead: Duration,
    /// Times of the requests, oldest first, by a clock that is moved along.
    sent: HashMap<String, VecDeque<Instant>>,
}

impl Pacer {
    pub(crate) fn new(most: usize) -> Self {
        Self { most: most.max(1), requests: Mutex::default(), moved: Notify::new() }
    }

    /// Waits until one more request fits, and counts it.
    pub(crate) async fn turn(&self, project: &str) {
        self.when_free(project, 1, VecDeque::push_back).await;
    }

    /// Waits until so many more requests fit, and counts none: those that follow at once are not held up.
    pub(crate) async fn free(&self, project: &str, count: usize) {
        self.when_free(project, count, |_, _| ()).await;
    }

    async fn when_free(&self, project: &str, count: usize, then: fn(&mut VecDeque<Instant>, Instant)) {
        loop {
            let moved = self.moved.notified();
            let wait = self.of_last_minute(project, |now, sent| {
                let over = (sent.len() + count.min(self.most)).saturating_sub(self.most);
                let Some(last) = over.checked_sub(1) else {
                    then(sent, now);
                    return None;
                };
                Some(sent.get(last).map_or(Duration::ZERO, |last| (*last + WINDOW).duration_since(now)))
            });
            let Some(wait) = wait else { return };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = moved => {}
            }
        }
    }

    /// The deployment's clock was moved forwards by this much.
    pub(crate) fn time_moved(&self, by: Duration) {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).ahead += by;
        self.moved.notify_waiters();
    }

    /// Requests of the last minute.
    pub(crate) fn sent(&self, project: &str) -> usize {
        self.of_last_minute(project, |_, sent| sent.len())
    }

    /// Returns true if half of a minute's requests have been sent.
    pub(crate) fn is_tired(&self, project: &str) -> bool {
        self.sent(project) * 2 >= self.most
    }

    fn of_last_minute<T>(&self, project: &str, see: impl FnOnce(Instant, &mut VecDeque<Instant>) -> T) -> T {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now() + requests.ahead;
        let sent = requests.sent.entry(project.to_owned()).or_default();
        while sent.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
            sent.pop_front();
        }
        see(now, sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_minute_holds_more_than_the_budget_and_projects_are_apart() {
        let pacer = Pacer::new(100);
        let start = Instant::now();
        for _ in 0..100 {
            pacer.turn("a").await;
        }
        assert_eq!(start.elapsed(), Duration::ZERO);
        pacer.turn("b").await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        assert_eq!((pacer.sent("a"), pacer.sent("b"), pacer.sent("c")), (100, 1, 0));
        pacer.turn("a").await;
        assert_eq!(start.elapsed(), WINDOW);
        assert_eq!((pacer.sent("a"), pacer.sent("b")), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_are_free_are_not_held_up() {
        let pacer = Pacer::new(10);
        let start = Instant::now();
        pacer.free("a", 10).await;
        for _ in 0..4 {
            pacer.turn("a").await;
        }
        tokio::time::sleep(Duration::from_secs(20)).await;
        for _ in 0..4 {
            pacer.turn("a").await;
        }
        pacer.free("a", 2).await;
        assert_eq!((start.elapsed(), pacer.sent("a")), (Duration::from_secs(20), 8));
        pacer.free("a", 5).await;
        assert_eq!((start.elapsed(), pacer.sent("a")), (WINDOW, 4));
        for _ in 0..5 {
            pacer.turn("a").await;
        }
        assert_eq!(start.elapsed(), WINDOW);
        // More than a minute has: all of a minute.
        pacer.free("a", 50).await;
        assert_eq!(pacer.sent("a"), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_minute_of_the_deployment_is_over_when_its_clock_was_moved() {
        let pacer = Pacer::new(2);
        let start = Instant::now();
        pacer.turn("a").await;
        pacer.time_moved(Duration::from_secs(40));
        pacer.turn("a").await;
        let third = async {
            pacer.turn("a").await;
            start.elapsed()
        };
        let moves = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            pacer.time_moved(Duration::from_secs(10));
        };
        let (waited, ()) = tokio::join!(third, moves);
        assert_eq!(waited, Duration::from_secs(10), "50 seconds of the first request's minute were skipped");
        assert_eq!(pacer.sent("a"), 2);
        pacer.time_moved(Duration::from_secs(28_800));
        assert_eq!(pacer.sent("a"), 0);
        pacer.turn("a").await;
        assert_eq!(start.elapsed(), waited);
    }
}

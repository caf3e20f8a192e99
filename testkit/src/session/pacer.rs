//! Keeps requests under each project's budget (§8: 120 in 60 seconds).

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const WINDOW: Duration = Duration::from_secs(60);

/// The requests of the last minute, by project.
#[derive(Debug)]
pub(crate) struct Pacer {
    most: usize,
    sent: Mutex<HashMap<String, VecDeque<Instant>>>,
}

impl Pacer {
    pub(crate) fn new(most: usize) -> Self {
        Self { most: most.max(1), sent: Mutex::default() }
    }

    /// Waits until one more request fits, and counts it.
    pub(crate) async fn turn(&self, project: &str) {
        loop {
            let now = Instant::now();
            let free = self.of_last_minute(project, |sent| {
                if sent.len() < self.most {
                    sent.push_back(now);
                    return None;
                }
                Some(sent.front().map_or(now, |first| *first + WINDOW))
            });
            let Some(free) = free else { return };
            tokio::time::sleep_until(free).await;
        }
    }

    /// Requests of the last minute.
    pub(crate) fn sent(&self, project: &str) -> usize {
        self.of_last_minute(project, |sent| sent.len())
    }

    /// Returns true if half of a minute's requests have been sent.
    pub(crate) fn is_tired(&self, project: &str) -> bool {
        self.sent(project) * 2 >= self.most
    }

    fn of_last_minute<T>(&self, project: &str, see: impl FnOnce(&mut VecDeque<Instant>) -> T) -> T {
        let now = Instant::now();
        let mut all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = all.entry(project.to_owned()).or_default();
        while sent.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
            sent.pop_front();
        }
        see(sent)
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
}

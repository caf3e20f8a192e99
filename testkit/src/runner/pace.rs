//! Keeps requests under each project's budget (§8: 120 in 60 seconds).

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const WINDOW: Duration = Duration::from_secs(60);

/// The requests of the last minute, by project.
#[derive(Debug)]
pub(crate) struct Paces {
    most: usize,
    sent: Mutex<HashMap<String, VecDeque<Instant>>>,
}

impl Paces {
    pub(crate) fn new(most: usize) -> Self {
        Self { most: most.max(1), sent: Mutex::default() }
    }

    /// Waits until one more request fits, and counts it.
    pub(crate) async fn turn(&self, project: &str) {
        loop {
            let now = Instant::now();
            let free = {
                let mut all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
                let sent = all.entry(project.to_owned()).or_default();
                while sent.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
                    sent.pop_front();
                }
                if sent.len() < self.most {
                    sent.push_back(now);
                    return;
                }
                sent.front().map_or(now, |first| *first + WINDOW)
            };
            tokio::time::sleep_until(free).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_minute_holds_more_than_the_budget_and_projects_are_apart() {
        let paces = Paces::new(100);
        let start = Instant::now();
        for _ in 0..100 {
            paces.turn("a").await;
        }
        assert_eq!(start.elapsed(), Duration::ZERO);
        paces.turn("b").await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        paces.turn("a").await;
        assert_eq!(start.elapsed(), WINDOW);
    }
}

//! Long polls of parts of pages: the script says which state of a part it has, and is answered when there is another one, or
//! after some seconds. Who waits holds neither a place among the requests that are worked on nor a connection to the database.
//!
//! Few of one person and a bounded number in all may wait; the others are answered at once, and ask again after a pause.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::pin::pin;
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderValue, Method};

use super::answer::PageResponse;
use super::visit::Visit;
use crate::http::concurrency::{ConcurrencyLimiter, ConcurrencyPermit};
use crate::ids::UserId;

/// The header in which the script says the state that it has.
const KNOWN: &str = "l10n-known";
/// The header in which the answer says the state that it shows.
const STATE: &str = "l10n-state";

/// Longest wait.
const LONGEST: Duration = Duration::from_secs(25);
/// Interval at which it looks again without a hint: changes by another process, and the passing of time, give none.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// Interval at which it looks again at pages that nothing hints at. They read more than the others.
const LOOK_AGAIN_UNHINTED: Duration = Duration::from_secs(4);
/// Shortest time between two looks, however many hints there are: each may be about somebody else's project.
const PAUSE: Duration = Duration::from_millis(250);
/// Most bytes of a state.
const LONGEST_STATE: usize = 128;

/// People who wait. A browser opens six connections to a server: one person's tabs leave room for pages.
#[derive(Debug)]
pub(super) struct PollLimiter(ConcurrencyLimiter<UserId>);

impl Default for PollLimiter {
    fn default() -> Self {
        Self(ConcurrencyLimiter::new(128, 3))
    }
}

/// A request that may wait.
pub(super) struct Poll {
    known: HeaderValue,
    ends: Instant,
    place: Option<ConcurrencyPermit<UserId>>,
}

impl Poll {
    /// A poll, if the request is one.
    pub(super) fn of(visit: &Visit, method: &Method, headers: &HeaderMap) -> Option<Self> {
        let known = headers.get(KNOWN).filter(|known| known.len() <= LONGEST_STATE)?.clone();
        let is_one = visit.fragment().is_some() && *method == Method::GET;
        is_one.then(|| Self { known, ends: Instant::now() + LONGEST, place: None })
    }

    /// Waits until another look is worth it, where the answer shows what the caller knows; returns false where the answer is
    /// to be given. `changed` hints at a change, and was told to listen before the answer was made; `None` where nothing hints.
    pub(super) async fn again(
        &mut self,
        waiting: &PollLimiter,
        visit: &Visit,
        answer: &PageResponse,
        changed: Option<impl Future<Output = ()>>,
    ) -> bool {
        let (Some(session), true) = (&visit.session, answer.headers.get(STATE) == Some(&self.known)) else {
            return false;
        };
        if self.place.is_none() {
            self.place = waiting.0.take_free(session.person.id.clone());
        }
        let left = self.ends.saturating_duration_since(Instant::now());
        if self.place.is_none() || left.is_zero() {
            return false;
        }
        let woken = async {
            let Some(changed) = changed else { return tokio::time::sleep(LOOK_AGAIN_UNHINTED.min(left)).await };
            let mut changed = pin!(changed);
            tokio::time::sleep(PAUSE.min(left)).await;
            // It looks again whether or not it was told.
            let _ = tokio::time::timeout(LOOK_AGAIN.min(left), &mut changed).await;
        };
        tokio::select! {
            () = woken => true,
            () = visit.service.draining.cancelled() => false,
        }
    }
}

/// The state of a part that shows these values: another one as soon as one of them is another.
pub(super) fn state_of(values: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Says in an answer which state of the part it shows, so that the script can wait for another one.
pub(super) fn put_state(headers: &mut HeaderMap, state: &str) {
    if let Ok(value) = HeaderValue::from_str(state.get(..LONGEST_STATE).unwrap_or(state)) {
        headers.insert(STATE, value);
    }
}

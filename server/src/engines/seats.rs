//! The seats of an engine: so many requests of a process are under way at once. Who waits for one gets it in turns, so that no
//! one who asks for much takes all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::turn_queue::TurnQueue;

/// The seats of an engine. All clones share them.
#[derive(Debug, Clone)]
pub(super) struct Seats(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    waiting: TurnQueue<Arc<str>, oneshot::Sender<Seat>>,
}

/// A seat. Dropped, it is the next one's.
#[derive(Debug)]
pub(super) struct Seat(Option<Seats>);

impl Seats {
    pub(super) fn new(count: usize) -> Self {
        Self(Arc::new(Mutex::new(State { free: count.max(1), waiting: TurnQueue::default() })))
    }

    /// Waits for a seat.
    pub(super) async fn take(&self, of: &Arc<str>) -> Seat {
        loop {
            let waits = {
                let mut state = self.lock();
                if state.free > 0 {
                    state.free -= 1;
                    return Seat(Some(self.clone()));
                }
                let (given, waits) = oneshot::channel();
                state.waiting.push(of, given);
                waits
            };
            // Nobody drops what it is to be given with; where that happens all the same, it waits again.
            if let Ok(seat) = waits.await {
                return seat;
            }
        }
    }

    fn give_back(&self) {
        loop {
            let next = {
                let mut state = self.lock();
                let Some(next) = state.waiting.pop() else {
                    state.free += 1;
                    return;
                };
                next
            };
            match next.send(Seat(Some(self.clone()))) {
                Ok(()) => return,
                // It does not wait any more.
                Err(mut seat) => seat.0 = None,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(seats) = self.0.take() {
            seats.give_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(seats: &Seats) -> usize {
        seats.lock().free
    }

    fn waiting(seats: &Seats) -> usize {
        seats.lock().waiting.iter().count()
    }

    #[tokio::test]
    async fn those_who_wait_get_seats_in_turns() {
        let (seats, order) = (Seats::new(1), Arc::new(Mutex::new(String::new())));
        let first = seats.take(&"x".into()).await;
        let mut tasks = Vec::new();
        for (at, name) in ["a", "a", "a", "b", "b", "c"].into_iter().enumerate() {
            let (seats, order) = (seats.clone(), Arc::clone(&order));
            let asks = seats.clone();
            tasks.push(tokio::spawn(async move {
                let _seat = asks.take(&name.into()).await;
                order.lock().unwrap().push_str(name);
            }));
            while waiting(&seats) <= at {
                tokio::task::yield_now().await;
            }
        }
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), "abcaba");
        assert_eq!((free(&seats), waiting(&seats)), (1, 0));
    }

    #[tokio::test]
    async fn who_gives_up_takes_no_seat() {
        let seats = Seats::new(2);
        let held = [seats.take(&"a".into()).await, seats.take(&"a".into()).await];
        let asks = seats.clone();
        let waits = tokio::spawn(async move { drop(asks.take(&"b".into()).await) });
        while waiting(&seats) == 0 {
            tokio::task::yield_now().await;
        }
        waits.abort();
        let _ = waits.await;
        drop(held);
        assert_eq!((free(&seats), waiting(&seats)), (2, 0));
    }
}

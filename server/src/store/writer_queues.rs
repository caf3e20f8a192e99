//! Turns of the writers for one project or one workspace.
//!
//! A writer that waits for a lock of the database holds a connection. So the writers of one project wait here, one behind
//! the other, and only the first of them takes a connection: however many write for one project, connections remain for
//! the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::StoreError;

/// Places in the queues of all who write. Cheap to clone; all clones share them.
#[derive(Debug, Clone)]
pub(super) struct WriterQueues {
    at_once: usize,
    waiting: usize,
    queues: Arc<Mutex<HashMap<String, Queue>>>,
}

#[derive(Debug)]
struct Queue {
    turns: Arc<Semaphore>,
    /// Those whose turn it is, and those who wait.
    places: usize,
}

/// A turn. Dropped, it is the next one's.
#[derive(Debug)]
pub(super) struct WriterPermit {
    of: String,
    turns: WriterQueues,
    permit: Option<OwnedSemaphorePermit>,
}

impl WriterQueues {
    /// So many of one name have their turn at once, and so many wait at most.
    pub(super) fn new(at_once: usize, waiting: usize) -> Self {
        Self { at_once, waiting, queues: Arc::default() }
    }

    /// Waits for a turn; those who came first go first.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] where too many wait already.
    pub(super) async fn take(&self, of: &str) -> Result<WriterPermit, StoreError> {
        // From here on the place is given back, wherever the wait ends.
        let (mut turn, turns) = self.queue_up(of)?;
        turn.permit = Some(turns.acquire_owned().await.map_err(|_| StoreError::Busy)?);
        Ok(turn)
    }

    fn queue_up(&self, of: &str) -> Result<(WriterPermit, Arc<Semaphore>), StoreError> {
        let mut queues = self.lock();
        let queue = queues
            .entry(of.to_owned())
            .or_insert_with(|| Queue { turns: Arc::new(Semaphore::new(self.at_once)), places: 0 });
        if queue.places >= self.at_once + self.waiting {
            return Err(StoreError::Busy);
        }
        queue.places += 1;
        let turns = Arc::clone(&queue.turns);
        drop(queues);
        Ok((WriterPermit { of: of.to_owned(), turns: self.clone(), permit: None }, turns))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WriterPermit {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut queues = self.turns.lock();
        if let Some(queue) = queues.get_mut(&self.of) {
            queue.places -= 1;
            if queue.places == 0 {
                queues.remove(&self.of);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn until(mut fits: impl FnMut() -> bool) {
        while !fits() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn those_of_one_name_go_one_after_the_other_in_the_order_of_their_coming() {
        let (turns, order) = (WriterQueues::new(1, 100), Arc::new(Mutex::new(Vec::new())));
        let first = turns.take("a").await.unwrap();
        let mut waiting = Vec::new();
        for number in 0..10 {
            let (its_turns, order) = (turns.clone(), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let _turn = its_turns.take("a").await.unwrap();
                order.lock().unwrap().push(number);
            }));
            until(|| turns.lock()["a"].places == number + 2).await;
        }
        drop(turns.take("b").await.unwrap());
        assert!(order.lock().unwrap().is_empty());
        drop(first);
        for waiting in waiting {
            waiting.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), (0..10).collect::<Vec<_>>());
        assert!(turns.lock().is_empty(), "nothing is kept of names that nobody waits for");
    }

    #[tokio::test]
    async fn a_queue_is_bounded_and_who_gives_up_leaves_it() {
        let turns = WriterQueues::new(2, 1);
        let held = [turns.take("a").await.unwrap(), turns.take("a").await.unwrap()];
        let waits = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take("a").await.map(drop) }
        });
        until(|| turns.lock()["a"].places == 3).await;
        assert!(matches!(turns.take("a").await, Err(StoreError::Busy)));
        waits.abort();
        until(|| turns.lock()["a"].places == 2).await;
        drop(held);
        assert!(turns.lock().is_empty());
        turns.take("a").await.unwrap();
    }
}

//! A queue in which no one who asks for much goes before all others.

use std::collections::VecDeque;

/// Those who wait, by whom they wait for, in the order of the next turns.
#[derive(Debug)]
pub(crate) struct TurnQueue<K, T>(VecDeque<(K, VecDeque<T>)>);

impl<K, T> Default for TurnQueue<K, T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<K: Clone + PartialEq, T> TurnQueue<K, T> {
    /// Adds one who waits for `of`.
    pub(crate) fn push(&mut self, of: &K, waits: T) {
        match self.0.iter_mut().find(|(key, _)| key == of) {
            Some((_, queue)) => queue.push_back(waits),
            None => self.0.push_back((of.clone(), VecDeque::from([waits]))),
        }
    }

    /// Takes the first who waits for the one whose turn it is, which comes last from then on.
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.pop_first(|_| true)
    }

    /// The same among those who may go now.
    pub(crate) fn pop_first(&mut self, may_go: impl Fn(&T) -> bool) -> Option<T> {
        let (of, place) =
            self.0.iter().enumerate().find_map(|(of, (_, queue))| Some((of, queue.iter().position(&may_go)?)))?;
        let (key, mut queue) = self.0.remove(of)?;
        let next = queue.remove(place);
        if !queue.is_empty() {
            self.0.push_back((key, queue));
        }
        next
    }

    /// All who wait.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flat_map(|(_, queue)| queue)
    }

    /// The number of those who wait for `of`.
    pub(crate) fn count_of(&self, of: &K) -> usize {
        self.0.iter().find(|(key, _)| key == of).map_or(0, |(_, queue)| queue.len())
    }

    /// Removes those who do not wait any more.
    pub(crate) fn retain(&mut self, waits: impl Fn(&T) -> bool) {
        for (_, queue) in &mut self.0 {
            queue.retain(&waits);
        }
        self.0.retain(|(_, queue)| !queue.is_empty());
    }
}

//! Work that a transaction does once it has committed.

use std::fmt;

/// Work that waits for a commit, in the order in which it was registered. Dropped, none of it is done.
#[derive(Default)]
pub(super) struct AfterCommit(Vec<Box<dyn FnOnce() + Send>>);

impl AfterCommit {
    pub(super) fn add(&mut self, work: impl FnOnce() + Send + 'static) {
        self.0.push(Box::new(work));
    }

    pub(super) fn run(self) {
        for work in self.0 {
            work();
        }
    }
}

impl fmt::Debug for AfterCommit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AfterCommit").field(&self.0.len()).finish()
    }
}

//! Work that a transaction does once it has committed.

use std::fmt;

use futures_util::future::BoxFuture;

/// Work that waits for a commit, in the order in which it was registered. Dropped, none of it is done.
#[derive(Default)]
pub(super) struct AfterCommit {
    work: Vec<Box<dyn FnOnce() + Send>>,
    awaited: Vec<BoxFuture<'static, ()>>,
}

impl AfterCommit {
    pub(super) fn add(&mut self, work: impl FnOnce() + Send + 'static) {
        self.work.push(Box::new(work));
    }

    pub(super) fn wait(&mut self, end: impl Future<Output = ()> + Send + 'static) {
        self.awaited.push(Box::pin(end));
    }

    pub(super) async fn run(self) {
        for work in self.work {
            work();
        }
        for end in self.awaited {
            end.await;
        }
    }
}

impl fmt::Debug for AfterCommit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AfterCommit").field(&self.work.len()).field(&self.awaited.len()).finish()
    }
}

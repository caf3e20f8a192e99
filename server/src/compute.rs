//! Work of a request that keeps a processor busy for longer than a moment.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Items from which on work with each of them takes longer than that.
pub(crate) const MANY: usize = 1_000;

/// Does such work on this thread, and lets another one go on with the tasks that wait for it: no other request waits until it
/// is done. It may borrow, which work for a pool of threads may not. Work that is `long` alone: the change of threads would cost
/// a small request more than it spares others.
pub(crate) fn compute<T>(long: bool, work: impl FnOnce() -> T) -> T {
    // A runtime of one thread has nobody who could go on.
    let has_others =
        || Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
    if long && has_others() { block_in_place(work) } else { work() }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::compute;

    /// One worker: if it did the work itself, what the work waits for would never come.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn tasks_go_on_beside_it() {
        let computing = tokio::spawn(async {
            let (sender, receiver) = channel();
            tokio::spawn(async move { sender.send(7) });
            compute(true, || receiver.recv())
        });
        assert_eq!(computing.await.unwrap(), Ok(7));
    }

    #[tokio::test]
    async fn a_runtime_of_one_thread_does_it_at_once() {
        assert_eq!(compute(true, || 7), 7);
    }
}

//! For tests: a small stack, on which recursion that grows with the input ends the test rather than a server.

/// Stack of a thread that reads the worst inputs, in bytes: a quarter of a server's worker thread.
const SMALL: usize = 512 * 1024;

/// Runs `work` on a stack of 512 KiB. A stack that overflows ends the process.
///
/// # Panics
///
/// Panics if `work` does, or if the system has no thread to spare.
pub fn on_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SMALL).spawn_scoped(scope, work);
        #[expect(clippy::expect_used, reason = "a test without its thread has failed")]
        let thread = thread.expect("the system has a thread to spare");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// `unit` as often as it fits into `size` bytes.
#[must_use]
pub fn filled(size: usize, unit: &str) -> String {
    unit.repeat(size / unit.len())
}

/// Repeats `open`, then `close`, as often as both fit, with `inner` between them.
#[must_use]
pub fn nested(size: usize, open: &str, inner: &str, close: &str) -> String {
    let times = (size - inner.len()) / (open.len() + close.len());
    open.repeat(times) + inner + &close.repeat(times)
}

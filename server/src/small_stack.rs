//! For tests: a stack that is small, so that recursion which grows with the input ends the test rather than a server.

/// Stack of a thread that reads the worst inputs, in bytes: a quarter of a server's worker thread.
const SMALL: usize = 512 * 1024;

/// Runs `work` on a stack of 512 KiB. A stack that overflows ends the process.
pub(crate) fn on_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SMALL).spawn_scoped(scope, work).unwrap();
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// `unit` as often as it fits into `size` bytes.
pub(crate) fn filled(size: usize, unit: &str) -> String {
    unit.repeat(size / unit.len())
}

/// As often as both fit, `open` and then `close`, with `inner` between them.
pub(crate) fn nested(size: usize, open: &str, inner: &str, close: &str) -> String {
    let times = (size - inner.len()) / (open.len() + close.len());
    open.repeat(times) + inner + &close.repeat(times)
}

//! Code that the targets share.

/// Stack on which parsers run, in bytes: a quarter of a server's worker thread. With the sanitizer frames are larger.
const STACK: usize = if cfg!(fuzzing) { 2 * 1024 * 1024 } else { 512 * 1024 };

/// Runs `work` on a small stack, so that recursion which grows with the input is found at inputs of the size that the API
/// takes.
///
/// # Panics
///
/// Panics if `work` does, or if no thread can be made.
pub fn on_small_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        thread.join().expect("the work ends");
    });
}

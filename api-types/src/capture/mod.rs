//! Captured keys: what an app misses, reported by the app itself.

mod create;

pub use create::{Captured, CapturedCounts, CapturedKey, Create, CreateBody, SeenAt};

/// Most keys of one call.
pub const MOST_CAPTURED_KEYS: usize = 500;

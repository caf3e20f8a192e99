//! Captured keys: what an app misses, reported by the app. They wait until a sync or a translate brings them, or until a
//! person decides about them; till then they change no text, are in no version, cost nothing and do not count against the
//! plan.

mod create;
mod decide;
mod seen;
mod selection;

pub(crate) use create::create;
pub use decide::{accept, discard, waiting};
pub(crate) use seen::{MissedKey, read};
pub(crate) use selection::{CaptureDecision, SelectionError, accept_with, decide, find, page, record};

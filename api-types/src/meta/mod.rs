//! What a project is and what its key may expect.

mod read;

pub use read::{Engine, FormatSupport, Limits, LiveVersion, Meta, Read, Remaining};

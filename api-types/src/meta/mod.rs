//! A project's facts and the limits of its key.

mod read;

pub use read::{Engine, FormatSupport, Limits, LiveVersion, Meta, Read, Remaining};

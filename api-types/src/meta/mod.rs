//! A project's facts and the limits of its key.

mod read;

pub use read::{Engine, FormatSupport, LanguageEngine, Limits, LiveVersion, Meta, Read, Remaining};

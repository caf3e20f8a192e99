//! Asking a person, and seeing what they decided.

pub(super) mod create;
pub(super) mod read;

//! Captured keys.

pub(super) mod create;

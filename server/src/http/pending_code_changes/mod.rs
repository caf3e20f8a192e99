//! Pending code changes.

pub(super) mod list;

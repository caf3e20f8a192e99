//! Unpublished changes.

pub(super) mod list;

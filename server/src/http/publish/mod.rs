//! Publishing.

pub(super) mod create;

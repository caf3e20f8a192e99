//! A project, its state and its limits.

pub(super) mod read;

//! The rights of the calling key.

pub(super) mod read;

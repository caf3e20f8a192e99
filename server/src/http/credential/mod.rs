//! What the calling key may do.

pub(super) mod read;

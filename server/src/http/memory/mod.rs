//! Translation memory.

pub(super) mod suggest;

//! Translation memory.

pub(super) mod export;
pub(super) mod import;
pub(super) mod suggest;

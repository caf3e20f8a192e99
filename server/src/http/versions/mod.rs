//! Published versions of the keys.

pub(super) mod list;
pub(super) mod restore;

//! Which files a published version consists of.

pub(super) mod set;

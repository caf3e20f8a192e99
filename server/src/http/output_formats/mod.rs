//! The files of a published version.

pub(super) mod set;

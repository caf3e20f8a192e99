//! Finding a project.

pub(super) mod resolve;

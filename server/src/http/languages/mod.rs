//! Languages of a project.

pub(super) mod add;

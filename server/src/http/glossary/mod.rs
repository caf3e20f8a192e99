//! The glossary of a project.

pub(super) mod list;
pub(super) mod set;

//! What a project is and how it stands.

pub(super) mod read;

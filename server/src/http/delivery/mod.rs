//! Public delivery of published versions.

pub(super) mod answer;
pub(super) mod bundle;
pub(super) mod manifest;
pub(super) mod named_bundle;
pub(super) mod named_manifest;

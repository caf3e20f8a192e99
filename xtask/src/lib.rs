//! Chores of this repository, as functions that its tests call, too.

pub mod circles;
pub mod completions;
pub mod endpoint_names;
pub mod house;
pub mod man;
pub mod packages;
pub mod platform;
pub mod spec;
pub mod words;

use std::path::{Path, PathBuf};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

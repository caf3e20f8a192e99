//! Symbolic links in paths.

use std::fs;
use std::iter::successors;
use std::path::{Path, PathBuf};

/// The path and each place that a link there leads to in turn, of which the last may be nothing yet. Links that lead to
/// each other have no end; [`fs::metadata`] refuses them.
pub(crate) fn places(path: &Path) -> impl Iterator<Item = PathBuf> {
    successors(Some(path.to_owned()), |place| Some(folder(place).join(fs::read_link(place).ok()?)))
}

/// The folder of a path.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

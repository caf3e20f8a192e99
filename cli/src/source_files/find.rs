//! Finds the files below a folder that a pattern matches.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use l10n_formats::template::{Captures, Pattern};

use super::error::SourceError;

/// Folders of third-party code; they are searched only if a pattern names them.
const FOREIGN_FOLDERS: &[&str] = &[".git", "node_modules"];

/// A file that a pattern matched.
#[derive(Debug)]
pub(crate) struct MatchedFile {
    pub(crate) location: PathBuf,
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) captures: Captures,
}

/// The files below `root` that a pattern matches, in the order of their paths.
pub(crate) fn find(root: &Path, pattern: &Pattern) -> Result<Vec<MatchedFile>, SourceError> {
    let canonical_root = std::fs::canonicalize(root).ok();
    let named = |name: &str| pattern.as_str().split('/').any(|part| part == name);
    let foreign: Vec<&str> = FOREIGN_FOLDERS.iter().copied().filter(|name| !named(name)).collect();
    let walk = WalkBuilder::new(root.join(pattern.fixed_folder()))
        .standard_filters(false)
        .sort_by_file_path(Path::cmp)
        .filter_entry(move |found| !foreign.iter().any(|name| found.file_name() == *name))
        .build();
    let mut files = Vec::new();
    // Unreadable folders are skipped; a pattern without any match is reported by name.
    for found in walk.flatten() {
        let Some(path) = relative(root, found.path()) else { continue };
        let Some(captures) = pattern.captures(&path) else { continue };
        if !found.path().is_file() {
            continue;
        }
        let inside = match (std::fs::canonicalize(found.path()), &canonical_root) {
            (Ok(path), Some(root)) => path.starts_with(root),
            _ => true,
        };
        if !inside {
            return Err(SourceError::LeadsOut(path));
        }
        files.push(MatchedFile { location: found.path().to_owned(), path, captures });
    }
    Ok(files)
}

/// `path` relative to `root`, with `/`; `None` if it is outside of `root` or not UTF-8.
pub(crate) fn relative(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = relative.components().map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/")).filter(|path| !path.is_empty())
}

//! The files below a folder among which localization files are looked for.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::found::LeftOut;
use crate::source_files::relative;

/// Folders of generated or downloaded files.
const SKIPPED_FOLDERS: [&str; 16] = [
    "node_modules",
    "bower_components",
    "target",
    "build",
    "dist",
    "out",
    "vendor",
    "Pods",
    "Carthage",
    "DerivedData",
    "coverage",
    "obj",
    "bin",
    "venv",
    "__pycache__",
    "site-packages",
];

/// Deepest folder that is looked into; sources of Java lie deep.
const DEEPEST: usize = 20;

/// Most files that are looked at.
const MOST_FILES: usize = 200_000;

/// The files of a folder.
pub(super) struct Tree {
    root: PathBuf,
    /// Their paths relative to the root, with `/`, in order.
    pub(super) paths: Vec<String>,
    /// Paths of links, which are not followed.
    pub(super) links: Vec<String>,
    /// Folders that cannot be read, and the end of the search where there are too many files.
    pub(super) trouble: Vec<LeftOut>,
}

impl Tree {
    /// Lists the files below a folder, without hidden and ignored ones.
    pub(super) fn of(root: &Path) -> Self {
        let walk = WalkBuilder::new(root)
            .max_depth(Some(DEEPEST))
            .sort_by_file_path(Path::cmp)
            .filter_entry(|entry| entry.depth() == 0 || !SKIPPED_FOLDERS.iter().any(|name| entry.file_name() == *name))
            .build();
        let mut tree = Self { root: root.to_owned(), paths: Vec::new(), links: Vec::new(), trouble: Vec::new() };
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let why = error.io_error().map_or_else(|| error.to_string(), std::io::Error::to_string);
                    let path = place(&error).and_then(|path| relative(root, path)).unwrap_or_else(|| ".".to_owned());
                    tree.trouble.push(LeftOut { path, why: format!("it cannot be read: {why}") });
                    continue;
                }
            };
            let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { continue };
            let Some(path) = relative(root, entry.path()) else { continue };
            if kind.is_symlink() {
                tree.links.push(path);
            } else if kind.is_file() {
                tree.paths.push(path);
            }
            if tree.paths.len() == MOST_FILES {
                let why = format!("the search ended after {MOST_FILES} files; run it in a folder below");
                tree.trouble.push(LeftOut { path: ".".to_owned(), why });
                break;
            }
        }
        tree
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// Returns the reason why it is not read.
    pub(super) fn read(&self, path: &str, most: usize) -> Result<Vec<u8>, String> {
        let unreadable = |error: std::io::Error| format!("it cannot be read: {error}");
        let place = self.root.join(path);
        let bytes = std::fs::symlink_metadata(&place).map_err(unreadable)?.len();
        if bytes > most as u64 {
            return Err(format!("it has {bytes} bytes; the limit is {most}"));
        }
        std::fs::read(place).map_err(unreadable)
    }
}

/// The path that an error of the walk is about.
fn place(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => place(err),
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
}

//! Compares published files with those on disk by their SHA-256, so that only different files are downloaded.

use std::path::{Path, PathBuf};

use crate::error::{CliError, ReadError};
use crate::hash::is_sha256;
use crate::published_version::PublishedFile;
use crate::pull_paths::PullPaths;
use crate::target::target;

/// A file on disk, compared with the published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileState {
    New,
    Changed,
    Unchanged,
}

/// A published file and its place on disk.
#[derive(Debug, Clone)]
pub(crate) struct PlannedPull {
    pub(crate) file: PublishedFile,
    /// Its path below the folder, which may not be that of the version.
    pub(crate) path: String,
    pub(crate) place: PathBuf,
    pub(crate) state: FileState,
}

/// Compares every file with the disk, where `places` says that it lies. Refuses the whole version if one path is not
/// safe.
pub(crate) fn plan(files: Vec<PublishedFile>, root: &Path, places: &PullPaths) -> Result<Vec<PlannedPull>, CliError> {
    let plan = |file: PublishedFile| {
        let own = target(root, &file.path)?;
        let path = places.path_of(&file, own.exists());
        let place = if path == file.path { own } else { target(root, &path)? };
        let state = match std::fs::read(&place) {
            Ok(bytes) if is_sha256(&file.sha256, &bytes) => FileState::Unchanged,
            Ok(_) => FileState::Changed,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => FileState::New,
            Err(source) => return Err(ReadError { what: place.display().to_string(), source }.into()),
        };
        Ok(PlannedPull { file, path, place, state })
    };
    files.into_iter().map(plan).collect()
}

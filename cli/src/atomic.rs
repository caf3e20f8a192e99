//! Atomic file writes: completely or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::Failure;
use crate::exit::ExitStatus;

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{path} could not be written: {source}", path = path.display())]
pub(crate) struct WriteError {
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

impl Failure for WriteError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unexpected
    }

    fn code(&self) -> &str {
        "write_failed"
    }

    fn hint(&self) -> Option<String> {
        Some("check that the folder is writable and that the disk is not full".into())
    }
}

/// Writes `bytes` to `path`: into a temporary file beside it, which is then renamed over it. A reader always sees
/// either the old or the new file. Missing folders are created; an existing file's permissions are kept.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut file = AtomicFile::create(path)?;
    file.write(bytes)?;
    file.finish()
}

/// Writes a secret, as [`write`]: nobody but the user may read a new file.
pub(crate) fn write_secret(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut file = AtomicFile::begin(path, true)?;
    file.write(bytes)?;
    file.finish()
}

/// A file that is written piece by piece, as [`write`] writes one. Until it is finished, the old file stays; if it is
/// dropped before, nothing is left of it.
pub(crate) struct AtomicFile {
    path: PathBuf,
    old: Option<fs::Permissions>,
    temporary: NamedTempFile,
}

impl AtomicFile {
    /// Begins the file that is to stand at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self, WriteError> {
        Self::begin(path, false)
    }

    fn begin(path: &Path, is_secret: bool) -> Result<Self, WriteError> {
        let begun = temporary(path, is_secret).map_err(|source| WriteError { path: path.to_owned(), source });
        begun.map(|(old, temporary)| Self { path: path.to_owned(), old, temporary })
    }

    /// Writes the next bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.temporary.write_all(bytes).map_err(|source| WriteError { path: self.path.clone(), source })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> Result<(), WriteError> {
        let Self { path, old, temporary } = self;
        persist(&path, old, temporary).map_err(|source| WriteError { path, source })
    }
}

/// The permissions of the file at `path`, if there is one, and a temporary file beside it. The temporary file is removed if
/// anything fails before the rename.
fn temporary(path: &Path, is_secret: bool) -> io::Result<(Option<fs::Permissions>, NamedTempFile)> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let old = match fs::metadata(path) {
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".l10n-").suffix(".tmp");
    // A new file gets the umask's permissions, as from any other program.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(if is_secret { 0o600 } else { 0o666 }));
    Ok((old, builder.tempfile_in(folder)?))
}

fn persist(path: &Path, old: Option<fs::Permissions>, mut file: NamedTempFile) -> io::Result<()> {
    file.flush()?;
    if let Some(permissions) = old {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_data()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn folders_are_made_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("a/b/c.json"), b"one").unwrap();
        write(&folder.path().join("a/b/c.json"), b"two").unwrap();
        assert_eq!(fs::read(folder.path().join("a/b/c.json")).unwrap(), b"two");
        assert_eq!(names(&folder.path().join("a/b")), ["c.json"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_state_and_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be renamed over: the write fails at its last step.
        fs::create_dir(folder.path().join("de.json")).unwrap();
        fs::write(folder.path().join("de.json/inside"), b"x").unwrap();
        assert!(write(&folder.path().join("de.json"), b"new").is_err());
        assert_eq!(names(folder.path()), ["de.json"]);
        assert_eq!(fs::read(folder.path().join("de.json/inside")).unwrap(), b"x");
    }

    #[test]
    fn a_file_in_pieces_is_there_once_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.tmx");
        write(&path, b"old").unwrap();
        let mut begun = AtomicFile::create(&path).unwrap();
        begun.write(b"new").unwrap();
        drop(begun);
        assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["memory.tmx".to_owned()], b"old".to_vec()));
        let mut whole = AtomicFile::create(&path).unwrap();
        whole.write(b"n").unwrap();
        whole.write(b"ew").unwrap();
        whole.finish().unwrap();
        assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["memory.tmx".to_owned()], b"new".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_secrets_are_the_users_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("de.json");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        let secret = folder.path().join("secret.json");
        write_secret(&secret, b"key").unwrap();
        assert_eq!(fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

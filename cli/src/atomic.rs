//! Atomic file writes: completely or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

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
    write_inner(path, bytes, false).map_err(|source| WriteError { path: path.to_owned(), source })
}

/// Writes a secret, as [`write`]: nobody but the user may read a new file.
pub(crate) fn write_secret(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_inner(path, bytes, true).map_err(|source| WriteError { path: path.to_owned(), source })
}

fn write_inner(path: &Path, bytes: &[u8], is_secret: bool) -> io::Result<()> {
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
    // The temporary file is removed if anything fails before the rename.
    let mut builder = tempfile::Builder::new();
    builder.prefix(".l10n-").suffix(".tmp");
    // A new file gets the umask's permissions, as from any other program.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(if is_secret { 0o600 } else { 0o666 }));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
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

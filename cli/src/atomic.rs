//! Atomic file writes: completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::Failure;
use crate::exit::ExitStatus;
use crate::links::{folder, places};
use crate::streams;

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
/// either the old or the new file. Missing folders are created; an existing file's permissions are kept. A link stays
/// one: the file that it leads to is written. A device, a pipe or a stream of the program gets the bytes themselves.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_for(path, Readers::Usual, bytes)
}

/// Writes a secret, as [`write()`]: nobody but the user may read a new file.
pub(crate) fn write_secret(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_for(path, Readers::OwnerIfNew, bytes)
}

fn write_for(path: &Path, readers: Readers, bytes: &[u8]) -> Result<(), WriteError> {
    let mut file = AtomicFile::begin(path, readers)?;
    file.write(bytes)?;
    file.finish()
}

/// The users who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Readers {
    /// Those of the old file; of a new one, those that the umask allows.
    Usual,
    /// Those of the old file; of a new one, its owner.
    OwnerIfNew,
    /// Its owner.
    Owner,
}

/// A file that is written piece by piece, as [`write()`] writes one. Until it is finished, the old file stays; if it is
/// dropped before, nothing is left of it.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    path: PathBuf,
    sink: Sink,
}

/// The place of the bytes until the file is finished.
#[derive(Debug)]
enum Sink {
    /// A temporary file, which is renamed to `place`. It is removed if anything fails before that.
    Beside { temporary: NamedTempFile, place: PathBuf, permissions: Option<fs::Permissions> },
    /// Something that no file may replace: a device, a pipe, a stream of the program.
    Itself(File),
}

impl AtomicFile {
    /// Begins the file that is to stand at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self, WriteError> {
        Self::begin(path, Readers::Usual)
    }

    /// Begins a file that only its owner may read, even if others may read the old one.
    pub(crate) fn create_secret(path: &Path) -> Result<Self, WriteError> {
        Self::begin(path, Readers::Owner)
    }

    fn begin(path: &Path, readers: Readers) -> Result<Self, WriteError> {
        let path = path.to_owned();
        match Sink::open(&path, readers) {
            Ok(sink) => Ok(Self { path, sink }),
            Err(source) => Err(WriteError { path, source }),
        }
    }

    /// The path that it was begun with.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the next bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let written = match &mut self.sink {
            Sink::Beside { temporary, .. } => temporary.write_all(bytes),
            Sink::Itself(file) => file.write_all(bytes),
        };
        written.map_err(|source| WriteError { path: self.path.clone(), source })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> Result<(), WriteError> {
        let Self { path, sink } = self;
        sink.finish().map_err(|source| WriteError { path, source })
    }
}

impl Sink {
    fn open(path: &Path, readers: Readers) -> io::Result<Self> {
        if let Some(stream) = streams::stream(path)? {
            return Ok(Self::Itself(stream));
        }
        let old = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Some(metadata.permissions()),
            Ok(_) => return OpenOptions::new().write(true).open(path).map(Self::Itself),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let place = places(path).last().unwrap_or_else(|| path.to_owned());
        fs::create_dir_all(folder(&place))?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".l10n-").suffix(".tmp");
        // A new file gets the umask's permissions, as from any other program.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(match readers {
            Readers::Usual => 0o666,
            Readers::OwnerIfNew | Readers::Owner => 0o600,
        }));
        let temporary = builder.tempfile_in(folder(&place))?;
        Ok(Self::Beside { temporary, place, permissions: old.filter(|_| readers != Readers::Owner) })
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Itself(mut file) => file.flush(),
            Self::Beside { mut temporary, place, permissions } => {
                temporary.flush()?;
                if let Some(permissions) = permissions {
                    temporary.as_file().set_permissions(permissions)?;
                }
                temporary.as_file().sync_data()?;
                temporary.persist(place).map(drop).map_err(|error| error.error)
            }
        }
    }
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
        // A folder cannot be written to.
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

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_and_what_it_leads_to_is_written() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("real")).unwrap();
        fs::write(at("real/de.json"), b"old").unwrap();
        symlink("real/de.json", at("one.json")).unwrap();
        symlink(at("one.json"), at("two.json")).unwrap();
        symlink("real/new/fr.json", at("dangling.json")).unwrap();
        write(&at("two.json"), b"new").unwrap();
        write_secret(&at("dangling.json"), b"made").unwrap();
        assert_eq!(fs::read(at("real/de.json")).unwrap(), b"new");
        assert_eq!(fs::read(at("real/new/fr.json")).unwrap(), b"made");
        for link in ["one.json", "two.json", "dangling.json"] {
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
        }
        assert_eq!(names(folder.path()), ["dangling.json", "one.json", "real", "two.json"]);
        symlink("b.json", at("a.json")).unwrap();
        symlink("a.json", at("b.json")).unwrap();
        assert!(write(&at("a.json"), b"").is_err());
    }

    /// Run as root, a rename would replace `/dev/null` for the whole machine.
    #[cfg(unix)]
    #[test]
    fn a_device_and_a_pipe_get_the_bytes_and_stay() {
        use std::os::unix::fs::{FileTypeExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (null, pipe) = (folder.path().join("null"), folder.path().join("pipe"));
        symlink("/dev/null", &null).unwrap();
        write(&null, b"nothing").unwrap();
        assert_eq!(fs::read_link(&null).unwrap(), Path::new("/dev/null"));
        assert!(fs::metadata(&null).unwrap().file_type().is_char_device());
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write_secret(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(names(folder.path()), ["null", "pipe"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_secret_that_is_made_once_is_its_owners_even_in_an_old_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let mut file = AtomicFile::create_secret(&path).unwrap();
        file.write(b"whsec_new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

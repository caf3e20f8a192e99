//! The lock that keeps an embedded database to one server process.
//!
//! Two servers on one SQLite file would repeat each other's deliveries, double the request limit and settle each other's
//! writes as failed. `serve` and `dev` therefore hold an operating system's lock on a file beside the database. The system
//! frees it with the process, however that ends. Commands beside a running server do not take it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use l10n_api_types::Timestamp;
use serde::{Deserialize, Serialize};

/// Appended to the name of the database. SQLite itself uses `-wal`, `-shm`, `-journal` and `.lock`.
const SUFFIX: &str = "-server";

/// Number of reads of a lock file whose holder has not written its name yet, and the pause between them.
const READS: usize = 10;
const BETWEEN_READS: Duration = Duration::from_millis(20);

/// The held lock. It is free again when this is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct ServerLock {
    file: File,
    holder: Holder,
}

/// The process that holds a lock, as it wrote into the lock file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Holder {
    /// Its process id, in its own PID namespace.
    pub pid: u32,
    /// The time at which it took the lock.
    pub started_at: Timestamp,
    /// The address that it listens on, once it does.
    pub listen: Option<SocketAddr>,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {}, started at {}", self.pid, self.started_at)?;
        match self.listen {
            Some(address) => write!(f, ", listening on {address}"),
            None => f.write_str(", not listening yet"),
        }
    }
}

/// The reason why a lock cannot be taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerLockError {
    /// Another process serves from the database.
    #[error(
        "another server or a restore uses {}{}; a SQLite database takes one server process: stop that one first, or use \
         PostgreSQL for several", database.display(), describe(holder.as_ref())
    )]
    Held {
        /// The database file, without links in its path.
        database: PathBuf,
        /// The other process, where the lock file says so.
        holder: Option<Holder>,
    },
    /// The lock file cannot be made, locked or written.
    #[error("cannot lock {}: {source}", path.display())]
    Io {
        /// The lock file, or the database where its path cannot be resolved.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

fn describe(holder: Option<&Holder>) -> String {
    holder.map_or_else(String::new, |holder| format!(" ({holder})"))
}

impl ServerLock {
    /// Takes the lock of the database file, which must exist: one file has one lock, by whatever path it is named.
    ///
    /// # Errors
    ///
    /// [`ServerLockError::Held`] when another process has it; when the lock file cannot be used.
    pub(crate) fn take(database: &Path, now: Timestamp) -> Result<Self, ServerLockError> {
        let database = std::fs::canonicalize(database)
            .map_err(|source| ServerLockError::Io { path: database.to_owned(), source })?;
        let mut name = database.clone().into_os_string();
        name.push(SUFFIX);
        let path = PathBuf::from(name);
        let failed = |source| ServerLockError::Io { path: path.clone(), source };
        let mut file = open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ServerLockError::Held { database, holder: read_holder(&mut file) });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let holder = Holder { pid: std::process::id(), started_at: now, listen: None };
        let mut lock = Self { file, holder };
        lock.write().map_err(failed)?;
        Ok(lock)
    }

    /// Writes the address of this server into the lock file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub(crate) fn listening_on(&mut self, address: SocketAddr) -> io::Result<()> {
        self.holder.listen = Some(address);
        self.write()
    }

    /// Replaces the text of the holder before. A reader in between finds no complete JSON object, and reads again.
    fn write(&mut self) -> io::Result<()> {
        let text = serde_json::to_vec(&self.holder)?;
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&text)
    }
}

impl Drop for ServerLock {
    /// The file stays: another process may have opened it already, and would lock a file without a name.
    fn drop(&mut self) {
        // The lock goes with the file, whether or not it can be emptied.
        let _ = self.file.set_len(0);
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Reads the holder of the lock. Just after the lock was taken nothing is written yet.
fn read_holder(file: &mut File) -> Option<Holder> {
    for _ in 0..READS {
        let mut text = String::new();
        file.seek(SeekFrom::Start(0)).ok()?;
        io::Read::take(&mut *file, 4096).read_to_string(&mut text).ok()?;
        if let Ok(holder) = serde_json::from_str(&text) {
            return Some(holder);
        }
        std::thread::sleep(BETWEEN_READS);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

    fn held(path: &Path) -> Option<Holder> {
        match ServerLock::take(path, NOW).unwrap_err() {
            ServerLockError::Held { holder, .. } => holder,
            error @ ServerLockError::Io { .. } => panic!("{error}"),
        }
    }

    #[test]
    fn one_file_has_one_lock_by_whatever_path_it_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("l10n.sqlite");
        std::fs::write(&path, "").unwrap();
        let mut lock = ServerLock::take(&path, NOW).unwrap();
        let address = "127.0.0.1:8787".parse().unwrap();
        let mut first = Holder { pid: std::process::id(), started_at: NOW, listen: None };
        assert_eq!(held(&path), Some(first.clone()));
        lock.listening_on(address).unwrap();
        first.listen = Some(address);
        let mut names =
            vec![path.clone(), folder.path().join("..").join(folder.path().file_name().unwrap()).join("l10n.sqlite")];
        #[cfg(unix)]
        {
            let linked = folder.path().join("linked");
            std::os::unix::fs::symlink(&path, &linked).unwrap();
            names.push(linked);
            let other = tempfile::tempdir().unwrap();
            let through = other.keep().join("data");
            std::os::unix::fs::symlink(folder.path(), &through).unwrap();
            names.push(through.join("l10n.sqlite"));
        }
        for name in names {
            assert_eq!(held(&name), Some(first.clone()), "{}", name.display());
        }
        drop(lock);
        ServerLock::take(&path, NOW).unwrap();
    }

    #[test]
    fn another_database_in_the_same_folder_has_its_own_lock() {
        let folder = tempfile::tempdir().unwrap();
        let locks = ["a.sqlite", "b.sqlite"].map(|name| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            ServerLock::take(&path, NOW).unwrap()
        });
        drop(locks);
    }

    #[test]
    fn a_refusal_names_the_other_process() {
        let holder = Holder { pid: 7, started_at: NOW, listen: Some("127.0.0.1:1".parse().unwrap()) };
        let error = ServerLockError::Held { database: "/data/l10n.sqlite".into(), holder: Some(holder) };
        assert_eq!(
            error.to_string(),
            "another server or a restore uses /data/l10n.sqlite (process 7, started at 2026-11-21T08:00:00.000Z, listening on \
             127.0.0.1:1); a SQLite database takes one server process: stop that one first, or use PostgreSQL for several"
        );
    }
}

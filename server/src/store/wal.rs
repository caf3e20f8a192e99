//! Durability on SQLite: an acknowledged commit survives a loss of power.
//!
//! SQLite itself would sync its write-ahead log inside each commit (`synchronous=FULL`), while it holds the only writer: on a
//! disk that takes 5 ms for that, 200 commits a second in all. So it commits without (`synchronous=NORMAL`), and whoever
//! waits for the commit waits for a sync of the log that began after it. All who have committed by then share that sync, and
//! the next transaction runs meanwhile. The log is written in the order of the commits, and a checkpoint syncs it first: what
//! lies before a commit that is durable is durable, too.
//!
//! A commit can be read before it is synced. Code that carries it out of the database, such as the delivery of an
//! event, calls [`Wal::settle`] first.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::Mutex;

/// The write-ahead log of a database. Cheap to clone; all clones share their syncs.
#[derive(Debug, Clone)]
pub(super) struct Wal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    log: PathBuf,
    folder: PathBuf,
    /// Commits that have been made.
    committed: AtomicU64,
    /// Of these, those that are on the disk.
    durable: AtomicU64,
    /// Whoever has it syncs.
    turn: Mutex<()>,
    skips: bool,
    /// True if the folder, which holds the log's name, has been synced.
    is_in_folder: AtomicBool,
    #[cfg(test)]
    syncs: AtomicU64,
}

impl Wal {
    /// That of the database in this file, which is named without links. With `skips` nothing waits for the disk.
    pub(super) fn of(database: &Path, skips: bool) -> Self {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
        Self(Arc::new(Inner {
            log: log.into(),
            folder: folder.unwrap_or(Path::new(".")).to_owned(),
            committed: AtomicU64::new(0),
            durable: AtomicU64::new(0),
            turn: Mutex::new(()),
            skips,
            is_in_folder: AtomicBool::new(false),
            #[cfg(test)]
            syncs: AtomicU64::new(0),
        }))
    }

    /// Returns when everything that was committed before this call is on the disk.
    /// If the disk fails, it may be there or not.
    pub(super) async fn settle(&self) -> io::Result<()> {
        if self.0.skips {
            return Ok(());
        }
        let own = self.0.committed.fetch_add(1, Ordering::SeqCst) + 1;
        let _turn = self.0.turn.lock().await;
        if self.0.durable.load(Ordering::SeqCst) >= own {
            return Ok(());
        }
        // Whoever is counted by now has committed before this sync begins.
        let all = self.0.committed.load(Ordering::SeqCst);
        let inner = Arc::clone(&self.0);
        tokio::task::spawn_blocking(move || inner.sync()).await.map_err(io::Error::other)??;
        self.0.durable.store(all, Ordering::SeqCst);
        Ok(())
    }

    /// The number of times that a log was synced.
    #[cfg(test)]
    pub(super) fn synced(&self) -> u64 {
        self.0.syncs.load(Ordering::SeqCst)
    }
}

impl Inner {
    fn sync(&self) -> io::Result<()> {
        // Opened each time: SQLite may have made another one. It has no locks on this file, which closing it would end.
        match File::open(&self.log) {
            Ok(log) => log.sync_data()?,
            // The last connection was closed, which has brought everything into the database.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        }
        #[cfg(test)]
        self.syncs.fetch_add(1, Ordering::SeqCst);
        if cfg!(unix) && !self.is_in_folder.load(Ordering::SeqCst) {
            File::open(&self.folder)?.sync_all()?;
            self.is_in_folder.store(true, Ordering::SeqCst);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn those_who_wait_share_a_sync_that_begins_after_their_commits() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("test.db");
        std::fs::write(folder.path().join("test.db-wal"), b"log").unwrap();
        let wal = Wal::of(&database, false);
        let syncs = || wal.synced();
        wal.settle().await.unwrap();
        assert_eq!(syncs(), 1);
        let turn = wal.0.turn.lock().await;
        let waiting: Vec<_> = (0..50)
            .map(|_| {
                let wal = wal.clone();
                tokio::spawn(async move { wal.settle().await })
            })
            .collect();
        while wal.0.committed.load(Ordering::SeqCst) < 51 {
            tokio::task::yield_now().await;
        }
        assert_eq!(syncs(), 1, "none is under way while another is");
        drop(turn);
        for waiting in waiting {
            waiting.await.unwrap().unwrap();
        }
        assert_eq!(syncs(), 2);
        wal.settle().await.unwrap();
        assert_eq!(syncs(), 3, "what is committed later is not covered by an earlier one");
    }

    #[tokio::test]
    async fn a_log_that_cannot_be_synced_is_an_error_and_one_that_is_gone_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let wal = Wal::of(&folder.path().join("test.db"), false);
        wal.settle().await.unwrap();
        // What is no folder has no files.
        std::fs::write(folder.path().join("file"), b"").unwrap();
        let wal = Wal::of(&folder.path().join("file/test.db"), false);
        assert!(wal.settle().await.is_err());
        assert!(wal.settle().await.is_err(), "and stays one");
    }
}

//! Checkpoints of SQLite's write-ahead log, beside the writer.
//!
//! SQLite itself would make one within the commit that fills the log, and all who write would wait meanwhile for the pages of
//! the log to be written to the database, and for two syncs. So a connection of their own makes them while the writer goes on.
//! They cannot end while the log grows without a pause: when it has reached `LARGEST_LOG`, the writer makes one itself that has
//! little left to do, after which the log begins anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sqlx::SqlitePool;

/// Pages of the log at which a commit of the writer makes a checkpoint, as text of a pragma: 16 MiB. A file that has been as long
/// before is synced faster than one that grows.
pub(super) const LARGEST_LOG: &str = "4096";

/// Pages that the database lacks when a checkpoint begins.
const WORTH_IT: i64 = 1_000;

/// The log is looked at after as many commits.
const COMMITS: u64 = 8;

/// Frames of the log, and those of them that the database has.
const LOOK: &str = "PRAGMA wal_checkpoint(NOOP)";
/// Waits for nobody, and nobody waits for it.
const CHECKPOINT: &str = "PRAGMA wal_checkpoint(PASSIVE)";

/// The checkpoints of one database. Cheap to clone; all clones share them.
#[derive(Debug, Clone)]
pub(super) struct Checkpoints(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    connection: SqlitePool,
    commits: AtomicU64,
    is_under_way: AtomicBool,
}

impl Checkpoints {
    /// Those that this connection makes.
    pub(super) fn over(connection: SqlitePool) -> Self {
        Self(Arc::new(Inner { connection, commits: AtomicU64::new(0), is_under_way: AtomicBool::new(false) }))
    }

    /// The writer has committed.
    pub(super) fn committed(&self) {
        let commits = self.0.commits.fetch_add(1, Ordering::Relaxed) + 1;
        if commits.is_multiple_of(COMMITS) && !self.0.is_under_way.swap(true, Ordering::SeqCst) {
            let this = self.clone();
            tokio::spawn(async move {
                // The writer makes the next one if this fails.
                if let Err(error) = this.make().await {
                    tracing::debug!(%error, "no checkpoint of the log was made");
                }
                this.0.is_under_way.store(false, Ordering::SeqCst);
            });
        }
    }

    async fn make(&self) -> sqlx::Result<()> {
        let (_, log, done): (i64, i64, i64) = sqlx::query_as(LOOK).fetch_one(&self.0.connection).await?;
        if log - done >= WORTH_IT {
            sqlx::query(CHECKPOINT).execute(&self.0.connection).await?;
        }
        Ok(())
    }

    /// Returns when no checkpoint is under way, and none begins any more.
    pub(super) async fn close(&self) {
        self.0.connection.close().await;
    }
}

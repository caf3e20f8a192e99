//! Numbers that tell a server process whether what it remembers of published versions still holds.
//!
//! Triggers count them up in the transactions that move what is live (`migrations/*/0218_live_generations.sql`). A process
//! looks at all of them at once; what it has moved itself, it knows at the commit ([`LiveMoves`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use l10n_api_types::{ProjectId, VersionId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// The numbers of the projects that share a shard.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Generation {
        /// Its place, from 0 without gaps
        pub shard: i64,
        /// Counts what moved the live versions of its projects
        pub generation: i64,
        /// Counts the deleted versions of its projects
        pub deletions: i64,
    }
}

row! {
    /// The public face of a project, with the generation at which it was read.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LiveProject {
        /// `prj_…`
        pub id: ProjectId,
        /// The version that the manifest shows
        pub live_version_id: Option<VersionId>,
        /// Since when it is hidden
        pub archived_at: Option<Timestamp>,
        /// Its shard
        pub shard: i64,
        /// The shard's generation
        pub generation: i64,
    }
}

statements! {
    ALL = "SELECT shard, generation, deletions FROM live_generations ORDER BY shard";
    OF_PROJECT = sqlite "SELECT p.id, p.live_version_id, p.archived_at, g.shard, g.generation FROM projects p \
        JOIN live_generations g ON g.shard = (unicode(substr(p.id, -1)) * 32 + unicode(substr(p.id, -2))) % 128 \
        WHERE p.id = $1",
        postgres "SELECT p.id, p.live_version_id, p.archived_at, g.shard, g.generation FROM projects p \
        JOIN live_generations g ON g.shard = (ascii(right(p.id, 1)) * 32 + ascii(right(p.id, 2))) % 128 WHERE p.id = $1";
    NAMED = sqlite "SELECT p.id, p.live_version_id, p.archived_at, g.shard, g.generation FROM workspaces w \
        JOIN projects p ON p.workspace_id = w.id \
        JOIN live_generations g ON g.shard = (unicode(substr(p.id, -1)) * 32 + unicode(substr(p.id, -2))) % 128 \
        WHERE w.handle = $1 AND p.slug = $2",
        postgres "SELECT p.id, p.live_version_id, p.archived_at, g.shard, g.generation FROM workspaces w \
        JOIN projects p ON p.workspace_id = w.id \
        JOIN live_generations g ON g.shard = (ascii(right(p.id, 1)) * 32 + ascii(right(p.id, 2))) % 128 \
        WHERE w.handle = $1 AND p.slug = $2";
}

/// The numbers of all shards, by their places.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn all(tx: &mut Tx) -> Result<Vec<Generation>, StoreError> {
    fetch_all!(tx, Generation, ALL)
}

/// The public face of the project `id`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn project(tx: &mut Tx, id: &ProjectId) -> Result<Option<LiveProject>, StoreError> {
    fetch_optional!(tx, LiveProject, OF_PROJECT, id.as_str())
}

/// The public face of the project that `/@handle/slug` names.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn named(tx: &mut Tx, handle: &str, slug: &str) -> Result<Option<LiveProject>, StoreError> {
    fetch_optional!(tx, LiveProject, NAMED, handle, slug)
}

/// Counts the transactions of this process that have moved what is live. Cheap to clone; all clones share the count.
#[derive(Debug, Clone, Default)]
pub struct LiveMoves(Arc<AtomicU64>);

impl LiveMoves {
    /// Returns the number of such transactions that have ended.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

//! Contents stored ahead of the version that will name them: in pieces, so that nobody waits long for the writer.

use std::collections::{HashMap, HashSet};

use tokio::task::spawn_blocking;

use crate::clock::Timestamp;
use crate::delivery::at_rest::StoredBody;
use crate::domain::ServiceError;
use crate::store::blobs::{self, Hash, NewBlob};
use crate::store::{Store, Tx, staged_blobs};

/// Bytes in memory before a piece is written.
const PIECE: usize = 4 * 1024 * 1024;

/// Contents of fewer bytes are written by the transaction that names them: that costs less than a transaction ahead.
const SMALL: usize = 64 * 1024;

/// Time that contents which no version names are kept, in milliseconds: an hour. No publish takes longer.
pub(crate) const KEPT_MILLIS: i64 = 60 * 60 * 1_000;

/// A writer of contents while a publish renders.
pub(in crate::domain) struct Staging {
    /// Pieces are transactions of this store; `None`: they are written in the caller's own.
    store: Option<Store>,
    at: Timestamp,
    waiting: Vec<(Hash, StoredBody)>,
    bytes: usize,
    seen: HashSet<Hash>,
    contained: StagedContents,
    /// True once a piece is written.
    is_written: bool,
    /// True if nothing is ever written.
    is_kept: bool,
}

/// The whereabouts of contents whose staging has ended.
#[derive(Debug, Default)]
pub(in crate::domain) struct StagedContents {
    /// Those that the transaction that names them stores.
    carried: Vec<NewBlob>,
    /// Those that it stored or holds already.
    held: HashSet<Hash>,
    /// Those of them that are staged.
    staged: Vec<Hash>,
}

impl Staging {
    /// Staging in transactions of its own; the caller reads in another one meanwhile.
    pub(in crate::domain) fn ahead(store: &Store, now: Timestamp) -> Self {
        Self { store: Some(store.clone()), ..Self::within(now) }
    }

    /// Staging in the caller's transaction, which names the contents.
    pub(in crate::domain) fn within(at: Timestamp) -> Self {
        Self {
            store: None,
            at,
            waiting: Vec::new(),
            bytes: 0,
            seen: HashSet::new(),
            contained: StagedContents::default(),
            is_written: false,
            is_kept: false,
        }
    }

    /// Contents that are looked at and never stored.
    pub(super) fn in_memory(at: Timestamp) -> Self {
        Self { is_kept: true, ..Self::within(at) }
    }

    /// The contents that were kept in memory.
    pub(super) fn into_contents(self) -> HashMap<Hash, StoredBody> {
        self.waiting.into_iter().collect()
    }

    /// Adds a content; writes a piece where enough have come together. Everything is stored once [`end`](Self::end) has
    /// returned.
    pub(in crate::domain) async fn add(
        &mut self,
        tx: &mut Tx,
        sha256: Hash,
        body: StoredBody,
    ) -> Result<(), ServiceError> {
        if !self.seen.insert(sha256) {
            return Ok(());
        }
        self.bytes += body.size();
        self.waiting.push((sha256, body));
        if self.bytes < PIECE || self.is_kept { Ok(()) } else { self.write(tx).await }
    }

    /// Writes the last piece.
    pub(in crate::domain) async fn end(mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        self.write(tx).await
    }

    /// Writes the last piece, unless there was none before and it is small.
    pub(in crate::domain) async fn end_or_carry(mut self, tx: &mut Tx) -> Result<StagedContents, ServiceError> {
        if self.is_written || self.bytes > SMALL {
            self.write(tx).await?;
        } else {
            self.contained.carried = self.pack(tx).await?.0;
        }
        Ok(self.contained)
    }

    /// Those that wait and are not stored yet, as they are to be stored, and those that are staged already. Staging in the
    /// caller's transaction holds the stored ones.
    async fn pack(&mut self, tx: &mut Tx) -> Result<(Vec<NewBlob>, Vec<Hash>), ServiceError> {
        self.bytes = 0;
        let mut piece = std::mem::take(&mut self.waiting);
        let hashes: Vec<Hash> = piece.iter().map(|(sha256, _)| *sha256).collect();
        let is_ahead = self.store.is_some();
        let stored = if is_ahead { blobs::stored(tx, &hashes).await? } else { blobs::hold(tx, &hashes).await? };
        piece.retain(|(sha256, _)| !stored.contains_key(sha256));
        let staged = staged(&stored).collect();
        if !is_ahead {
            self.contained.hold(stored);
        }
        if piece.is_empty() {
            return Ok((Vec::new(), staged));
        }
        let pack = || piece.into_iter().map(|(sha256, body)| Ok((sha256, body.stored()?))).collect();
        let new: std::io::Result<Vec<NewBlob>> = spawn_blocking(pack).await.map_err(ServiceError::internal)?;
        Ok((new.map_err(ServiceError::internal)?, staged))
    }

    async fn write(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        self.is_written = true;
        let (new, mut staged) = self.pack(tx).await?;
        let Some(store) = &self.store else { return self.contained.add(tx, &new).await };
        staged.extend(new.iter().map(|(sha256, _)| *sha256));
        if staged.is_empty() {
            return Ok(());
        }
        let mut tx = store.begin_write().await?;
        blobs::add(&mut tx, &new).await?;
        staged_blobs::stage(&mut tx, &staged, self.at).await?;
        Ok(tx.commit().await?)
    }
}

impl StagedContents {
    /// Notes contents that the transaction holds, each with whether it is staged.
    fn hold(&mut self, stored: HashMap<Hash, bool>) {
        self.staged.extend(staged(&stored));
        self.held.extend(stored.into_keys());
    }

    /// Stores contents. Where others stored some meanwhile, it is left open which; [`take`](Self::take) looks.
    async fn add(&mut self, tx: &mut Tx, new: &[NewBlob]) -> Result<(), ServiceError> {
        if blobs::add(tx, new).await? == new.len() as u64 {
            self.held.extend(new.iter().map(|(sha256, _)| *sha256));
        }
        Ok(())
    }

    /// Takes these contents into a version that `tx` is about to name: stores those that are carried, holds the others, and
    /// none is staged any longer. `false` when one of them is not there any more; then `tx` must not be committed.
    pub(in crate::domain) async fn take(&self, tx: &mut Tx, hashes: &[Hash]) -> Result<bool, ServiceError> {
        let mut taken = Self { carried: Vec::new(), held: self.held.clone(), staged: self.staged.clone() };
        taken.add(tx, &self.carried).await?;
        let others: Vec<Hash> = hashes.iter().copied().filter(|sha256| !taken.held.contains(sha256)).collect();
        taken.hold(blobs::hold(tx, &others).await?);
        // After the contents, as where they are stored: so that no two wait for each other.
        staged_blobs::forget(tx, &taken.staged).await?;
        Ok(others.iter().all(|sha256| taken.held.contains(sha256)))
    }
}

/// Those of the stored contents that are staged.
fn staged(stored: &HashMap<Hash, bool>) -> impl Iterator<Item = Hash> {
    stored.iter().filter(|(_, is_staged)| **is_staged).map(|(sha256, _)| *sha256)
}

/// Takes contents that are stored into a version, as [`StagedContents::take`] does.
pub(in crate::domain) async fn take(tx: &mut Tx, hashes: &[Hash]) -> Result<bool, ServiceError> {
    StagedContents::default().take(tx, hashes).await
}

/// Deletes contents that were staged for a version that has not come, of `most` at most; returns how many it is done with.
/// Those that a publish holds stay staged: it may come to nothing, too.
pub(crate) async fn sweep(tx: &mut Tx, now: Timestamp, most: i64) -> Result<u64, ServiceError> {
    let before = Timestamp::from_millis(now.as_millis() - KEPT_MILLIS);
    let old = staged_blobs::old(tx, before, most).await?;
    let free: HashSet<Hash> = blobs::lock_free(tx, &old).await?.into_iter().collect();
    let stored = blobs::stored(tx, &old).await?;
    let is_held = |sha256: &Hash| stored.contains_key(sha256) && !free.contains(sha256);
    let done: Vec<Hash> = old.into_iter().filter(|sha256| !is_held(sha256)).collect();
    blobs::delete_unnamed(tx, &done).await?;
    staged_blobs::forget(tx, &done).await?;
    Ok(done.len() as u64)
}

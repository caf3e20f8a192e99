//! Contents stored ahead of the version that will name them: in pieces, so that nobody waits long for the writer.

use std::collections::{HashMap, HashSet};

use tokio::task::spawn_blocking;

use crate::clock::Timestamp;
use crate::delivery::at_rest::Body;
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
    waiting: Vec<(Hash, Body)>,
    bytes: usize,
    seen: HashSet<Hash>,
    /// True once a piece is written.
    is_written: bool,
    /// True if nothing is ever written.
    is_kept: bool,
}

/// The whereabouts of contents whose staging has ended.
#[derive(Debug, Default)]
pub(in crate::domain) struct Contained {
    /// Those that the transaction that names them stores.
    carried: Vec<NewBlob>,
    /// True if some may be staged.
    is_staged: bool,
}

impl Staging {
    /// Staging in transactions of its own; the caller reads in another one meanwhile.
    pub(in crate::domain) fn ahead(store: &Store, now: Timestamp) -> Self {
        Self { store: Some(store.clone()), ..Self::within(now) }
    }

    /// Staging in the caller's transaction.
    pub(in crate::domain) fn within(at: Timestamp) -> Self {
        Self { store: None, at, waiting: Vec::new(), bytes: 0, seen: HashSet::new(), is_written: false, is_kept: false }
    }

    /// Contents that are looked at and never stored.
    pub(super) fn in_memory(at: Timestamp) -> Self {
        Self { is_kept: true, ..Self::within(at) }
    }

    /// The contents that were kept in memory.
    pub(super) fn into_contents(self) -> HashMap<Hash, Body> {
        self.waiting.into_iter().collect()
    }

    /// Adds a content; writes a piece where enough have come together. Everything is stored once [`end`](Self::end) has
    /// returned.
    pub(in crate::domain) async fn add(&mut self, tx: &mut Tx, sha256: Hash, body: Body) -> Result<(), ServiceError> {
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
    pub(in crate::domain) async fn end_or_carry(mut self, tx: &mut Tx) -> Result<Contained, ServiceError> {
        if self.is_written || self.bytes > SMALL {
            self.write(tx).await?;
            return Ok(Contained { carried: Vec::new(), is_staged: true });
        }
        let (carried, staged) = self.packed(tx).await?;
        Ok(Contained { carried, is_staged: !staged.is_empty() })
    }

    /// Those that wait and are not stored yet, as they are to be stored, and those that are staged already.
    async fn packed(&mut self, tx: &mut Tx) -> Result<(Vec<NewBlob>, Vec<Hash>), ServiceError> {
        self.bytes = 0;
        let piece = std::mem::take(&mut self.waiting);
        let hashes: Vec<Hash> = piece.iter().map(|(sha256, _)| *sha256).collect();
        let stored = blobs::stored(tx, &hashes).await?;
        let staged = stored.iter().filter(|(_, is_staged)| **is_staged).map(|(sha256, _)| *sha256).collect();
        let pack = move || {
            let new = piece.into_iter().filter(|(sha256, _)| !stored.contains_key(sha256));
            new.map(|(sha256, body)| Ok((sha256, body.stored()?))).collect::<std::io::Result<Vec<NewBlob>>>()
        };
        let new = spawn_blocking(pack).await.map_err(ServiceError::internal)?.map_err(ServiceError::internal)?;
        Ok((new, staged))
    }

    async fn write(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        self.is_written = true;
        let (new, mut staged) = self.packed(tx).await?;
        staged.extend(new.iter().map(|(sha256, _)| *sha256));
        if staged.is_empty() {
            return Ok(());
        }
        match &self.store {
            None => keep(tx, &new, &staged, self.at).await,
            Some(store) => {
                let mut tx = store.begin_write().await?;
                keep(&mut tx, &new, &staged, self.at).await?;
                Ok(tx.commit().await?)
            }
        }
    }
}

impl Contained {
    /// Stores those that are carried, and takes the others as [`take`] does.
    pub(super) async fn take(&self, tx: &mut Tx, hashes: &[Hash]) -> Result<bool, ServiceError> {
        if self.is_staged {
            staged_blobs::forget(tx, hashes).await?;
        }
        let added = blobs::add(tx, &self.carried).await?;
        let all_new = added == self.carried.len() as u64;
        let carried: HashSet<Hash> = self.carried.iter().map(|(sha256, _)| *sha256).collect();
        let others: Vec<Hash> = hashes.iter().copied().filter(|sha256| !all_new || !carried.contains(sha256)).collect();
        Ok(others.is_empty() || blobs::hold_all(tx, &others).await?)
    }
}

async fn keep(tx: &mut Tx, new: &[NewBlob], staged: &[Hash], at: Timestamp) -> Result<(), ServiceError> {
    blobs::keep(tx, new).await?;
    Ok(staged_blobs::stage(tx, staged, at).await?)
}

/// Takes contents into a version that is about to name them: they are no longer staged. `false` when one of them is not
/// there any more; then `tx` must not be committed.
pub(in crate::domain) async fn take(tx: &mut Tx, hashes: &[Hash]) -> Result<bool, ServiceError> {
    staged_blobs::forget(tx, hashes).await?;
    Ok(blobs::hold_all(tx, hashes).await?)
}

/// Deletes contents that were staged for a version that has not come, at most `most`; returns how many were looked at.
pub(crate) async fn sweep(tx: &mut Tx, now: Timestamp, most: i64) -> Result<u64, ServiceError> {
    let before = Timestamp::from_millis(now.as_millis() - KEPT_MILLIS);
    let old = staged_blobs::old(tx, before, most).await?;
    blobs::delete_unnamed(tx, &old).await?;
    staged_blobs::forget(tx, &old).await?;
    Ok(old.len() as u64)
}

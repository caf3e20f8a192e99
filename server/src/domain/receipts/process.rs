//! The lease of this server process on the writes that it carries out.
//!
//! A process says in the datastore until when it is known to live, and says so again while writes run. Where that time has
//! passed, any other process gives the writes up: their receipts become `failed`, and their `Idempotency-Key`s are free.
//! A write lands only on a receipt that still says `running` ([`Write::land`](super::Write::land)), in the transaction of the
//! write, so that the process whose writes were given up cannot commit one of them, however late it goes on.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::kept::KeptBytes;
use super::{DEAD_AFTER, ReceiptParts, UnsettledWrite};
use crate::clock::{Clock, Timestamp};
use crate::ids::{IdKind, new_id};
use crate::store::{StoreError, Tx, requests, server_processes};

/// Time that a lease lasts, in milliseconds. With the few seconds between two looks at it, a write of a process that
/// died is given up within 60 seconds.
pub const RECEIPT_LEASE_MILLIS: i64 = 55_000;

/// A lease of which less than this remains is prolonged: two attempts may fail before it runs out.
const RENEW_BELOW: i64 = 40_000;

/// Processes that one transaction gives up at most.
const AT_ONCE: i64 = 20;

/// Failures that wait for a datastore to take them. Beyond these, receipts are reported as failed by their age alone.
const MOST_UNSETTLED: usize = 10_000;

/// This server process.
#[derive(Debug)]
pub struct ServerProcess {
    id: String,
    /// End of the lease as far as this process knows; 0 before the first.
    leased_until: AtomicI64,
    /// A clone lies in every write that runs.
    running: Arc<()>,
    unsettled: Mutex<VecDeque<UnsettledWrite>>,
    pub(super) kept_bytes: KeptBytes,
}

/// Says, while it is there, that a write runs.
#[derive(Debug, Clone)]
pub(super) struct Running(#[expect(dead_code, reason = "it is counted, not read")] Arc<()>);

impl ServerProcess {
    /// A process that has carried out nothing yet.
    pub fn new(clock: &dyn Clock) -> Self {
        Self {
            id: new_id(IdKind::Lease, clock.now()),
            leased_until: AtomicI64::new(0),
            running: Arc::default(),
            unsettled: Mutex::default(),
            kept_bytes: KeptBytes::default(),
        }
    }

    /// Its name in the datastore.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn running(&self) -> Running {
        Running(Arc::clone(&self.running))
    }

    fn unsettled(&self) -> MutexGuard<'_, VecDeque<UnsettledWrite>> {
        self.unsettled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_at_work(&self) -> bool {
        Arc::strong_count(&self.running) > 1
    }

    /// Returns whether so much of the lease remains that it need not be prolonged.
    pub(super) fn has_long_lease(&self, now: Timestamp) -> bool {
        self.leased_until.load(Ordering::Acquire) - now.as_millis() >= RENEW_BELOW
    }

    /// Prolongs the lease in `tx` where little of it remains. The process counts on it once `tx` is committed.
    pub(super) async fn renew(self: &Arc<Self>, tx: &mut Tx, now: Timestamp) -> Result<(), StoreError> {
        if self.has_long_lease(now) {
            return Ok(());
        }
        let until = now.plus_millis(RECEIPT_LEASE_MILLIS);
        server_processes::renew(tx, &self.id, until).await?;
        let process = Arc::clone(self);
        tx.after_commit(move || {
            process.leased_until.fetch_max(until.as_millis(), Ordering::AcqRel);
        });
        Ok(())
    }

    /// Keeps a failure that the datastore did not take, to write it down later.
    pub(super) fn settle_later(&self, unsettled: UnsettledWrite) {
        let mut waiting = self.unsettled();
        if waiting.len() < MOST_UNSETTLED {
            waiting.push_back(unsettled);
        }
    }
}

/// Keeps the lease while writes run, gives up the writes of processes whose lease has run out, and writes down failures that
/// the datastore did not take before. Returns how many writes were given up.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn keep_up(parts: &ReceiptParts) -> Result<u64, StoreError> {
    let (process, now) = (&parts.process, parts.clock.now());
    let mut tx = parts.store.begin_ahead().await?;
    if process.is_at_work() {
        process.renew(&mut tx, now).await?;
    }
    let mut given_up = 0;
    for dead in server_processes::expired(&mut tx, now, AT_ONCE).await? {
        given_up += requests::give_up_all(&mut tx, &dead, now, now.plus_millis(-DEAD_AFTER)).await?;
        server_processes::delete(&mut tx, &dead).await?;
    }
    tx.commit().await?;
    settle_waiting(parts).await;
    Ok(given_up)
}

async fn settle_waiting(parts: &ReceiptParts) {
    loop {
        let next = parts.process.unsettled().pop_front();
        let Some(unsettled) = next else { return };
        if let Err(error) = unsettled.settle(parts).await {
            tracing::warn!(?error, "cannot say yet that writes failed; trying again");
            parts.process.unsettled().push_front(unsettled);
            return;
        }
    }
}

/// Until when the process of a write that runs is known to live.
pub(super) async fn alive_until(tx: &mut Tx, receipt: &requests::Receipt) -> Result<Timestamp, StoreError> {
    let dead_at = receipt.created_at.plus_millis(DEAD_AFTER);
    let Some(process) = &receipt.process_id else { return Ok(dead_at) };
    // One without a row was given up before this write began, or has yet to prolong its lease.
    let leased = server_processes::leased_until(tx, process).await?.unwrap_or(receipt.created_at);
    Ok(dead_at.min(leased.max(receipt.created_at.plus_millis(RECEIPT_LEASE_MILLIS))))
}

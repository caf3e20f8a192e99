//! Receipts: the outcome of each write, and its answer again for a repeated request (§7, `Idempotency-Key`).
//!
//! [`begin`] commits that a write runs before it does anything. [`Write::land`] puts its success into the transaction of
//! the write itself, so that a receipt says `succeeded` if and only if the effect is there. [`Write::fail`] says that
//! nothing was written; whatever ends a write without either of them (a client that went away, a panic) is said to have
//! failed when it is dropped.
//!
//! A process that is killed leaves receipts that say `running`. Its lease on them (`ServerProcess`) runs out within a minute;
//! then another process gives them up. The one server of an embedded datastore settles them when it starts. A receipt that
//! neither has reached is reported as failed [`DEAD_AFTER`] its beginning, and can be, because no write lands later than
//! [`LANDS_WITHIN`].

mod begin;
mod kept;
mod process;
mod read;
mod reseal;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use l10n_api_types::requests::Resource;
use l10n_api_types::{ApiKeyId, ErrorBody, ErrorCode, ProjectId, RequestId};

use super::{Caller, ServiceError};
use crate::clock::{Clock, Timestamp};
use crate::store::engine::DatabaseKind;
use crate::store::idempotency_keys::{self, IdempotencyKeyName};
use crate::store::requests::{self, Success};
use crate::store::{Store, StoreError, Tx, server_processes};
use crate::vault::Vault;

use kept::shorten;
use process::Running;

pub use begin::{BeginOutcome, IdempotencyKey, WriteRequest, begin};
pub(crate) use begin::{KEY_MILLIS, Replayed};
pub use kept::LONGEST_KEPT;
pub use process::{RECEIPT_LEASE_MILLIS, ServerProcess, keep_up};
pub(crate) use read::read;
pub use reseal::reseal;

/// Longest time that a write may take, in milliseconds: a slower one does not land.
pub const LANDS_WITHIN: i64 = 10 * 60 * 1_000;

/// Age at which a write that has not ended is reported as failed, in milliseconds. The time beyond [`LANDS_WITHIN`] is
/// for a commit that was on its way, and for clocks that differ.
pub const DEAD_AFTER: i64 = 15 * 60 * 1_000;

/// The parts of the server that receipts use. They have transactions of their own, beside that of the write.
#[derive(Debug, Clone)]
pub struct ReceiptParts {
    /// The datastore.
    pub store: Store,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
    /// Seals the answers that are kept.
    pub vault: Vault,
    /// The process that carries the writes out.
    pub process: Arc<ServerProcess>,
    /// The most bytes of answers that are kept for a project.
    pub kept_answer_bytes: u64,
}

/// A write that runs.
#[derive(Debug)]
pub struct Write {
    parts: ReceiptParts,
    name: WriteName,
    ended: AtomicBool,
    /// Keeps the lease of this process as long as the write runs.
    _running: Running,
}

/// The identity of a write in the datastore.
#[derive(Debug, Clone)]
struct WriteName {
    project: ProjectId,
    api_key: ApiKeyId,
    request: RequestId,
    idempotency: Option<IdempotencyKey>,
}

impl Write {
    fn new(parts: &ReceiptParts, name: WriteName, running: Running) -> Self {
        Self { parts: parts.clone(), name, ended: AtomicBool::new(false), _running: running }
    }

    /// Its receipt: the `x-correlation-id` of its response.
    pub fn request(&self) -> &RequestId {
        &self.name.request
    }

    /// Returns whether its answer may be asked for again.
    pub(crate) fn is_replayable(&self) -> bool {
        self.name.idempotency.is_some()
    }

    /// Returns whether it has landed or failed.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Says in the transaction of the write that it lands with the commit, and keeps its answer (JSON, or nothing) for
    /// repeated requests. The write has ended once `tx` is committed.
    ///
    /// # Errors
    ///
    /// Returns an error if the write was given up, because this process seemed dead, or if it took longer than
    /// [`LANDS_WITHIN`], so that its receipt may have said that it failed; as the store.
    pub async fn land(
        self: &Arc<Self>,
        tx: &mut Tx,
        http_status: u16,
        resource: Option<&Resource>,
        reply: &[u8],
    ) -> Result<(), ServiceError> {
        let now = self.parts.clock.now();
        let success = Success {
            http_status,
            resource: resource.map(|resource| (resource.kind.as_str(), resource.id.as_str())),
            finished_at: now,
            begun_after: now.plus_millis(-LANDS_WITHIN),
        };
        if !requests::succeed(tx, &self.name.project, &self.name.request, success).await? {
            return Err(ServiceError::Late);
        }
        self.name.keep(tx, &self.parts, http_status, reply).await?;
        let write = Arc::clone(self);
        tx.after_commit(move || write.ended.store(true, Ordering::Release));
        Ok(())
    }

    /// Says that nothing was written. Where the datastore does not take that now, it is said later.
    pub async fn fail(&self, error: &ServiceError) {
        self.ended.store(true, Ordering::Release);
        let http_status = error.code().status().unwrap_or(500);
        UnsettledWrite { name: self.name.clone(), http_status, error: ErrorBody::from(error) }
            .settle_now(&self.parts)
            .await;
    }
}

impl WriteName {
    /// The write of a caller's request that comes without an `Idempotency-Key`.
    fn of(caller: &Caller) -> Self {
        let (project, api_key) = (caller.project.clone(), caller.key.clone());
        Self { project, api_key, request: caller.request.clone(), idempotency: None }
    }

    async fn keep(
        &self,
        tx: &mut Tx,
        parts: &ReceiptParts,
        http_status: u16,
        reply: &[u8],
    ) -> Result<(), ServiceError> {
        let Some(name) = self.key() else { return Ok(()) };
        let (project, request) = (&self.project, self.request.as_str());
        let reply = shorten(std::str::from_utf8(reply).map_err(ServiceError::internal)?);
        let sealed = reply.map(|reply| parts.vault.seal(request, &reply)).transpose();
        let sealed = sealed.map_err(ServiceError::internal)?;
        idempotency_keys::answer(tx, name, &self.request, http_status, sealed.as_deref()).await?;
        let bytes = sealed.map_or(0, |sealed| sealed.len());
        Ok(parts.process.kept_bytes.make_room(tx, project, bytes, parts.kept_answer_bytes).await?)
    }

    fn key(&self) -> Option<IdempotencyKeyName<'_>> {
        let key = self.idempotency.as_ref()?;
        Some(IdempotencyKeyName { api_key_id: self.api_key.as_str(), text: &key.text })
    }
}

/// A write that has failed, whose receipt says that it runs.
#[derive(Debug)]
struct UnsettledWrite {
    name: WriteName,
    http_status: u16,
    error: ErrorBody,
}

impl UnsettledWrite {
    async fn settle_now(self, parts: &ReceiptParts) {
        if let Err(error) = self.settle(parts).await {
            tracing::warn!(correlation_id = %self.name.request, ?error, "cannot say yet that a write failed; trying again");
            parts.process.settle_later(self);
        }
    }

    async fn settle(&self, parts: &ReceiptParts) -> Result<(), ServiceError> {
        let Self { name, http_status, error } = self;
        let WriteName { project, request, .. } = name;
        let mut tx = parts.store.begin_brief_write().await?;
        // A commit whose answer got lost has ended the receipt: then nothing is to be said.
        if requests::fail(&mut tx, project, request, *http_status, error, parts.clock.now()).await? {
            if is_kept(*http_status) {
                let reply = serde_json::to_vec(error).map_err(ServiceError::internal)?;
                name.keep(&mut tx, parts, *http_status, &reply).await?;
            } else if let Some(key) = name.key() {
                idempotency_keys::forget(&mut tx, key, request).await?;
            }
        }
        Ok(tx.commit().await?)
    }
}

impl Drop for Write {
    /// The client went away, or the rule panicked: the write's transaction was dropped, and with it rolled back.
    fn drop(&mut self) {
        if self.has_ended() {
            return;
        }
        let error = ErrorBody::new(ErrorCode::Internal, "the request was given up before its end: nothing was written");
        let given_up = UnsettledWrite { name: self.name.clone(), http_status: 500, error };
        let parts = self.parts.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { given_up.settle_now(&parts).await });
        }
    }
}

/// Returns whether an error is answered again under the same `Idempotency-Key`. A caller that may not do the write, or
/// not yet, or that met a failure of the server, has done nothing and may try again.
const fn is_kept(http_status: u16) -> bool {
    http_status < 500 && !matches!(http_status, 401 | 403 | 429)
}

/// Marks every write that a server before this one left running as failed. A shared datastore has other servers, on
/// which they may run; there their lease runs out. Returns the number of these writes.
pub(crate) async fn settle_orphans(tx: &mut Tx, process: &ServerProcess, now: Timestamp) -> Result<u64, StoreError> {
    match tx.engine() {
        DatabaseKind::Sqlite => {
            server_processes::delete_others(tx, process.id()).await?;
            requests::abandon(tx, now).await
        }
        DatabaseKind::Postgres => Ok(0),
    }
}

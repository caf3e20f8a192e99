//! The beginning of a write.

use std::sync::Arc;

use l10n_api_types::requests::ReceiptStatus;
use l10n_api_types::{ProjectId, RequestId};
use secrecy::ExposeSecret as _;

use super::process::{ServerProcess, alive_until};
use super::{ReceiptParts, Write, WriteName};
use crate::clock::Timestamp;
use crate::domain::{Caller, ServiceError};
use crate::ids::{IdKind, new_id};
use crate::store::idempotency_keys::{self, IdempotencyKeyName, KeyUse, NewKeyUse};
use crate::store::{StoreError, Tx, requests};
use crate::vault::Vault;

/// Time that an `Idempotency-Key` names one write, in milliseconds: 24 hours.
pub(crate) const KEY_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// An `Idempotency-Key` and the fingerprint of its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Its text.
    pub text: String,
    /// SHA-256 of method, path, query and body.
    pub fingerprint: [u8; 32],
}

/// A write that a caller asks for.
#[derive(Debug, Clone)]
pub struct WriteRequest {
    /// The endpoint.
    pub kind: &'static str,
    /// The key that it comes with.
    pub idempotency: Option<IdempotencyKey>,
}

/// The way to answer a request for a write.
#[derive(Debug)]
pub enum BeginOutcome {
    /// The write.
    New(Arc<Write>),
    /// The write was done before; the same answer is given again.
    Before(Replayed),
}

/// An answer that was given before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Its status.
    pub http_status: u16,
    /// Its body: JSON, or nothing.
    pub body: String,
}

/// Commits that a write begins. Its id is the caller's own, unless that named another write before.
///
/// # Errors
///
/// 409 for an `Idempotency-Key` that is in use for something else or whose write still runs; as the store.
pub async fn begin(parts: &ReceiptParts, caller: &Caller, asked: WriteRequest) -> Result<BeginOutcome, ServiceError> {
    let now = parts.clock.now();
    let project = &caller.project;
    if asked.idempotency.is_none()
        && parts.process.has_long_lease(now)
        && let Some(write) = begin_alone(parts, caller, asked.kind, now).await?
    {
        return Ok(BeginOutcome::New(write));
    }
    let running = parts.process.running();
    let mut tx = parts.store.begin_brief_write().await?;
    // First of all: who gives up a dead process locks its row before its receipts, too.
    parts.process.renew(&mut tx, now).await?;
    let mut request = caller.request.clone();
    if !insert(&mut tx, &parts.process, project, &request, asked.kind, now).await? {
        request = RequestId::new(new_id(IdKind::Request, now));
        insert(&mut tx, &parts.process, project, &request, asked.kind, now).await?;
    }
    if let Some(key) = &asked.idempotency {
        let name = IdempotencyKeyName { api_key_id: caller.key.as_str(), text: &key.text };
        let used =
            NewKeyUse { project_id: project, request_id: &request, fingerprint: &key.fingerprint, created_at: now };
        if !idempotency_keys::insert(&mut tx, name, used).await? {
            let before = idempotency_keys::find(&mut tx, name).await?.ok_or_else(in_progress)?;
            if !is_over(&mut tx, project, &before, now).await? {
                // Dropping the transaction takes the receipt of this request back: it is no write.
                return replay(&parts.vault, key, before, now).map(BeginOutcome::Before);
            }
            if !idempotency_keys::take_over(&mut tx, name, used, &before.request_id).await? {
                return Err(in_progress());
            }
        }
    }
    tx.commit().await?;
    let name = WriteName { request, idempotency: asked.idempotency, ..WriteName::of(caller) };
    Ok(BeginOutcome::New(Arc::new(Write::new(parts, name, running))))
}

/// Commits that a write begins which needs nothing but its receipt; `None` if the caller's id named another write before. A
/// task of its own brings it to its end: where nobody waits for the write any more, it is said to have failed.
async fn begin_alone(
    parts: &ReceiptParts,
    caller: &Caller,
    kind: &'static str,
    now: Timestamp,
) -> Result<Option<Arc<Write>>, ServiceError> {
    let (parts, name, running) = (parts.clone(), WriteName::of(caller), parts.process.running());
    let begin = tokio::spawn(async move {
        let insert = async |tx: &mut Tx| insert(tx, &parts.process, &name.project, &name.request, kind, now).await;
        let is_new = parts.store.write_once(insert).await?;
        Ok(is_new.then(|| Arc::new(Write::new(&parts, name, running))))
    });
    begin.await.map_err(ServiceError::internal)?
}

async fn insert(
    tx: &mut Tx,
    process: &ServerProcess,
    project: &ProjectId,
    request: &RequestId,
    kind: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let process_id = Some(process.id());
    let new = requests::NewRequest { project_id: project, id: request, kind, process_id, created_at: now };
    requests::insert(tx, new).await
}

/// Returns whether a key may be used anew: its day is over, or its write died without an answer.
async fn is_over(tx: &mut Tx, project: &ProjectId, used: &KeyUse, now: Timestamp) -> Result<bool, ServiceError> {
    if used.created_at.plus_millis(KEY_MILLIS) <= now {
        return Ok(true);
    }
    if used.http_status.is_some() {
        return Ok(false);
    }
    let Some(receipt) = requests::find(tx, project, &used.request_id).await? else { return Ok(true) };
    if receipt.status == ReceiptStatus::Failed {
        return Ok(true);
    }
    // Given up in this transaction, it cannot land any more. If it landed before, its answer is there at the next try.
    Ok(alive_until(tx, &receipt).await? <= now && requests::give_up(tx, project, &used.request_id, now).await?)
}

/// The refusal where it is not known since when the first request runs.
const fn in_progress() -> ServiceError {
    ServiceError::IdempotencyInProgress { retry_after_seconds: SOONEST }
}

/// Bounds of the time after which a request that met a running one is to come again, in seconds.
const SOONEST: u32 = 1;
const LATEST: u32 = 10;

/// The seconds until it is worth asking again: as long as the request has run, within bounds.
fn retry_after(running_since: Timestamp, now: Timestamp) -> u32 {
    let seconds = (now.as_millis() - running_since.as_millis()) / 1_000;
    u32::try_from(seconds).unwrap_or(SOONEST).clamp(SOONEST, LATEST)
}

fn replay(vault: &Vault, key: &IdempotencyKey, before: KeyUse, now: Timestamp) -> Result<Replayed, ServiceError> {
    if before.fingerprint != key.fingerprint {
        return Err(ServiceError::IdempotencyConflict(
            "this `Idempotency-Key` came with another request before: send a fresh key with a new request".to_owned(),
        ));
    }
    let Some(http_status) = before.http_status else {
        let retry_after_seconds = retry_after(before.created_at, now);
        return Err(ServiceError::IdempotencyInProgress { retry_after_seconds });
    };
    let Some(sealed) = before.reply else {
        let request = before.request_id;
        return Err(ServiceError::IdempotencyConflict(format!(
            "the request with this `Idempotency-Key` was answered {http_status}, and its answer is no longer kept: \
             `GET /requests/{request}` shows its outcome"
        )));
    };
    let body = vault.open(before.request_id.as_str(), &sealed).map_err(|error| {
        tracing::error!(%error, request = %before.request_id, "a kept answer cannot be opened");
        ServiceError::IdempotencyConflict(
            "this `Idempotency-Key` was used and its answer can no longer be read, since its master key is gone: the \
             receipt of the first request shows its outcome"
                .to_owned(),
        )
    })?;
    let http_status = u16::try_from(http_status).map_err(ServiceError::internal)?;
    Ok(Replayed { http_status, body: body.expose_secret().to_owned() })
}

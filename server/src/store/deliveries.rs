//! Deliveries: events on their way to webhooks. What may become of them is decided in `domain::deliveries`; here it is
//! read and written, in batches where the delivery worker does it.

use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::{DeliveryErrorKind, DeliveryStatus};
use l10n_api_types::events::EventType;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

text_enum! {
    /// The end of a delivery's planned attempts.
    pub enum DeliveryEnd {
        /// One of them was answered 2xx.
        Delivered = "delivered",
        /// Each of them failed.
        Failed = "failed",
    }
}

row! {
    /// A delivery in the log of its webhook.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DeliveryLogEntry {
        /// `dlv_…`
        pub id: String,
        /// The event
        pub event_id: String,
        /// The event's type
        pub event_type: EventType,
        /// The publish, restore or rollback that fired the event
        pub publish_id: String,
        /// Its status
        pub status: DeliveryStatus,
        /// The end of its planned attempts
        pub ended: Option<DeliveryEnd>,
        /// Attempts that have ended
        pub attempts: i64,
        /// Planned attempts that failed
        pub failures: i64,
        /// The planned time of its next attempt
        pub planned_at: Option<Timestamp>,
        /// True if an attempt outside the plan is requested
        pub resend: bool,
        /// The time at which a worker takes it
        pub due_at: Option<Timestamp>,
        /// The number of the attempt that it is at; the column is `lease`
        pub fence: i64,
        /// The time at which the last attempt began
        pub last_attempt_at: Option<Timestamp>,
        /// Its duration
        pub last_duration_ms: Option<i64>,
        /// HTTP status that it got
        pub last_status_code: Option<i64>,
        /// Its failure, for people
        pub last_error: Option<String>,
        /// Its failure, to branch on
        pub last_error_kind: Option<DeliveryErrorKind>,
        /// The time of the event
        pub created_at: Timestamp,
    }
}

statements! {
    INSERT = values "INSERT INTO deliveries (webhook_id, id, event_id, status, ended, attempts, failures, planned_at, resend, \
        due_at, lease, last_attempt_at, last_duration_ms, last_status_code, last_error, last_error_kind, created_at) VALUES"
        each "(?, ?, ?, 'pending', NULL, 0, 0, ?, FALSE, ?, 0, NULL, NULL, NULL, NULL, NULL, ?)" then "";
    LOG = "SELECT d.id, d.event_id, e.event_type, e.publish_id, d.status, d.ended, d.attempts, d.failures, d.planned_at, \
        d.resend, d.due_at, d.lease AS fence, d.last_attempt_at, d.last_duration_ms, d.last_status_code, d.last_error, \
        d.last_error_kind, d.created_at FROM deliveries d JOIN events e ON e.id = d.event_id \
        WHERE d.webhook_id = $1 ORDER BY d.id DESC LIMIT $2";
    PAGE = "SELECT d.id, d.event_id, e.event_type, e.publish_id, d.status, d.ended, d.attempts, d.failures, d.planned_at, \
        d.resend, d.due_at, d.lease AS fence, d.last_attempt_at, d.last_duration_ms, d.last_status_code, d.last_error, \
        d.last_error_kind, d.created_at FROM deliveries d JOIN events e ON e.id = d.event_id \
        WHERE d.webhook_id = $1 AND d.id < $3 ORDER BY d.id DESC LIMIT $2";
    FIND = "SELECT d.id, d.event_id, e.event_type, e.publish_id, d.status, d.ended, d.attempts, d.failures, d.planned_at, \
        d.resend, d.due_at, d.lease AS fence, d.last_attempt_at, d.last_duration_ms, d.last_status_code, d.last_error, \
        d.last_error_kind, d.created_at FROM deliveries d JOIN events e ON e.id = d.event_id \
        WHERE d.webhook_id = $1 AND d.id = $2";
    BODY = "SELECT e.body FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.webhook_id = $1 AND d.id = $2";
    LOCK = sqlite "SELECT d.id, d.event_id, e.event_type, e.publish_id, d.status, d.ended, d.attempts, d.failures, \
        d.planned_at, d.resend, d.due_at, d.lease AS fence, d.last_attempt_at, d.last_duration_ms, d.last_status_code, \
        d.last_error, d.last_error_kind, d.created_at FROM deliveries d JOIN events e ON e.id = d.event_id \
        WHERE d.webhook_id = $1 AND d.id = $2",
        postgres "SELECT d.id, d.event_id, e.event_type, e.publish_id, d.status, d.ended, d.attempts, d.failures, \
        d.planned_at, d.resend, d.due_at, d.lease AS fence, d.last_attempt_at, d.last_duration_ms, d.last_status_code, \
        d.last_error, d.last_error_kind, d.created_at FROM deliveries d JOIN events e ON e.id = d.event_id \
        WHERE d.webhook_id = $1 AND d.id = $2 FOR NO KEY UPDATE OF d";
    WRITE = padded values "UPDATE deliveries SET status = fresh.column4, ended = fresh.column5, attempts = fresh.column6, \
        failures = fresh.column7, planned_at = fresh.column8, resend = fresh.column9, due_at = fresh.column10, \
        lease = fresh.column11 FROM (VALUES"
        each "(?, ?, CAST(? AS BIGINT), ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BOOLEAN), \
        CAST(? AS BIGINT), CAST(? AS BIGINT))"
        then ") AS fresh WHERE deliveries.webhook_id = fresh.column1 AND deliveries.id = fresh.column2 \
        AND deliveries.lease = fresh.column3";
    FINISH = padded values "UPDATE deliveries SET status = fresh.column4, ended = fresh.column5, attempts = fresh.column6, \
        failures = fresh.column7, planned_at = fresh.column8, resend = fresh.column9, due_at = fresh.column10, \
        last_attempt_at = fresh.column11, last_duration_ms = fresh.column12, last_status_code = fresh.column13, \
        last_error = fresh.column14, last_error_kind = fresh.column15 FROM (VALUES"
        each "(?, ?, CAST(? AS BIGINT), ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BOOLEAN), \
        CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), ?, ?)"
        then ") AS fresh WHERE deliveries.webhook_id = fresh.column1 AND deliveries.id = fresh.column2 \
        AND deliveries.lease = fresh.column3 AND deliveries.status = 'delivering' RETURNING deliveries.id";
    PAUSE = "UPDATE deliveries SET due_at = NULL WHERE webhook_id = $1 AND due_at IS NOT NULL AND status = 'pending' \
        AND NOT resend";
    RESUME = "UPDATE deliveries SET due_at = CASE WHEN planned_at > $2 THEN planned_at ELSE $2 END \
        WHERE webhook_id = $1 AND due_at IS NULL AND status = 'pending' AND planned_at IS NOT NULL";
    GIVE_BACK_ALL = "UPDATE deliveries SET due_at = $1 WHERE webhook_id = $2 AND due_at > $1 AND status = 'delivering'";
    FIRST_BEYOND = "SELECT id FROM deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2";
    PRUNE = "DELETE FROM deliveries WHERE webhook_id = $1 AND id IN (SELECT d.id FROM deliveries d \
        WHERE d.webhook_id = $1 AND d.id <= $2 AND d.status IN ('delivered', 'failed') ORDER BY d.id LIMIT $3) \
        AND status IN ('delivered', 'failed') RETURNING event_id";
}

/// A delivery to make.
#[derive(Debug, Clone)]
pub struct NewDelivery<'a> {
    /// `dlv_…`
    pub id: String,
    /// The webhook
    pub webhook_id: &'a WebhookId,
}

/// Puts an event on its way to webhooks, due at `due_at`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(
    tx: &mut Tx,
    event_id: &str,
    deliveries: &[NewDelivery<'_>],
    now: Timestamp,
    due_at: Timestamp,
) -> Result<(), StoreError> {
    let (now, due) = (now.as_millis(), due_at.as_millis());
    execute_values!(tx, INSERT, [], deliveries, |new| [new.webhook_id.as_str(), new.id.as_str(), event_id, due, due, now]).map(drop)
}

/// The last deliveries of a webhook, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn log(tx: &mut Tx, webhook_id: &WebhookId, limit: i64) -> Result<Vec<DeliveryLogEntry>, StoreError> {
    fetch_all!(tx, DeliveryLogEntry, LOG, webhook_id.as_str(), limit)
}

/// The deliveries of a webhook before `before`, by id, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(
    tx: &mut Tx,
    webhook_id: &WebhookId,
    limit: i64,
    before: &str,
) -> Result<Vec<DeliveryLogEntry>, StoreError> {
    fetch_all!(tx, DeliveryLogEntry, PAGE, webhook_id.as_str(), limit, before)
}

/// A delivery of a webhook.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, webhook_id: &WebhookId, id: &str) -> Result<Option<DeliveryLogEntry>, StoreError> {
    fetch_optional!(tx, DeliveryLogEntry, FIND, webhook_id.as_str(), id)
}

/// The bytes that a delivery sends.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if it is gone.
pub async fn body(tx: &mut Tx, webhook_id: &WebhookId, id: &str) -> Result<Vec<u8>, StoreError> {
    let (body,) = fetch_one!(tx, (Vec<u8>,), BODY, webhook_id.as_str(), id)?;
    Ok(body)
}

/// A delivery of a webhook; no other transaction changes it until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock(tx: &mut Tx, webhook_id: &WebhookId, id: &str) -> Result<Option<DeliveryLogEntry>, StoreError> {
    fetch_optional!(tx, DeliveryLogEntry, LOCK, webhook_id.as_str(), id)
}

/// The fields that decide about a delivery, to replace the previous ones.
#[derive(Debug, Clone, Copy)]
pub struct DeliveryUpdate<'a> {
    /// The webhook
    pub webhook_id: &'a WebhookId,
    /// `dlv_…`
    pub id: &'a str,
    /// The number of the attempt that it was at: nothing is written when it is at another by now
    pub former_fence: i64,
    /// Its status
    pub status: DeliveryStatus,
    /// The end of its planned attempts
    pub ended: Option<DeliveryEnd>,
    /// Attempts that have ended
    pub attempts: i64,
    /// Planned attempts that failed
    pub failures: i64,
    /// The planned time of its next attempt
    pub planned_at: Option<Timestamp>,
    /// True if an attempt outside the plan is requested
    pub resend: bool,
    /// The time at which a worker takes it
    pub due_at: Option<Timestamp>,
    /// The number of the attempt that it is at
    pub fence: i64,
}

/// The result of an attempt.
#[derive(Debug, Clone, Copy)]
pub struct AttemptResult<'a> {
    /// The time at which it began
    pub began_at: Timestamp,
    /// Its duration
    pub duration_ms: i64,
    /// HTTP status
    pub status_code: Option<i64>,
    /// Its failure, for people
    pub error: Option<&'a str>,
    /// Its failure, to branch on
    pub error_kind: Option<DeliveryErrorKind>,
}

/// Writes deliveries; returns how many were still at the attempt that they are said to be at.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn write(tx: &mut Tx, deliveries: &[DeliveryUpdate<'_>]) -> Result<u64, StoreError> {
    execute_values!(tx, WRITE, [], deliveries, |written| [
        written.webhook_id.as_str(),
        written.id,
        written.former_fence,
        written.status.as_str(),
        written.ended.map(DeliveryEnd::as_str),
        written.attempts,
        written.failures,
        written.planned_at.map(Timestamp::as_millis),
        written.resend,
        written.due_at.map(Timestamp::as_millis),
        written.fence,
    ])
}

/// Writes deliveries with what their present attempts met; returns which of them were still at those attempts.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn finish(tx: &mut Tx, deliveries: &[(DeliveryUpdate<'_>, AttemptResult<'_>)]) -> Result<Vec<String>, StoreError> {
    let finished = fetch_values!(tx, (String,), FINISH, [], deliveries, |(written, met)| [
        written.webhook_id.as_str(),
        written.id,
        written.former_fence,
        written.status.as_str(),
        written.ended.map(DeliveryEnd::as_str),
        written.attempts,
        written.failures,
        written.planned_at.map(Timestamp::as_millis),
        written.resend,
        written.due_at.map(Timestamp::as_millis),
        met.began_at.as_millis(),
        met.duration_ms,
        met.status_code,
        met.error,
        met.error_kind.map(DeliveryErrorKind::as_str),
    ])?;
    Ok(finished.into_iter().map(|(id,)| id).collect())
}

/// Lets no planned attempt of a webhook begin. Returns how many deliveries were due, now or later.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn pause(tx: &mut Tx, webhook_id: &WebhookId) -> Result<u64, StoreError> {
    execute!(tx, PAUSE, webhook_id.as_str())
}

/// Lets the planned attempts of a webhook begin, at their time or now. Returns how many deliveries go on.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn resume(tx: &mut Tx, webhook_id: &WebhookId, now: Timestamp) -> Result<u64, StoreError> {
    execute!(tx, RESUME, webhook_id.as_str(), now.as_millis())
}

/// Makes deliveries of a webhook due that some server has; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn release_all(tx: &mut Tx, webhook_id: &WebhookId, now: Timestamp) -> Result<u64, StoreError> {
    execute!(tx, GIVE_BACK_ALL, now.as_millis(), webhook_id.as_str())
}

/// The newest delivery of a webhook that is not among its last `kept`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn first_beyond(tx: &mut Tx, webhook_id: &WebhookId, kept: i64) -> Result<Option<String>, StoreError> {
    let beyond = fetch_optional!(tx, (String,), FIRST_BEYOND, webhook_id.as_str(), kept)?;
    Ok(beyond.map(|(id,)| id))
}

/// Deletes the oldest deliveries of a webhook up to `last` that have ended, at most `limit`; returns their events. One that is
/// resent meanwhile stays.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn prune(tx: &mut Tx, webhook_id: &WebhookId, last: &str, limit: i64) -> Result<Vec<String>, StoreError> {
    let events = fetch_all!(tx, (String,), PRUNE, webhook_id.as_str(), last, limit)?;
    Ok(events.into_iter().map(|(id,)| id).collect())
}

//! Deliveries that are to be taken, now or later: what the delivery worker looks for.

use l10n_api_types::deliveries::DeliveryStatus;
use l10n_api_types::{ProjectId, WebhookId, WorkspaceId};

use super::deliveries::DeliveryEnd;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A delivery that is due, with all that an attempt needs. No other transaction takes it until `tx` ends.
    #[derive(Debug, Clone)]
    pub struct DueDelivery {
        /// `dlv_…`
        pub id: String,
        /// The webhook
        pub webhook_id: WebhookId,
        /// The event
        pub event_id: String,
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
        /// The number of the attempt that it was at; the column is `lease`
        pub fence: i64,
        /// The bytes to send
        pub body: Vec<u8>,
        /// The URL
        pub url: String,
        /// True if events are delivered to the webhook
        pub enabled: bool,
        /// Its deliveries in a row that ended as `failed`
        pub consecutive_failures: i64,
        /// Its secret, sealed
        pub secret: Vec<u8>,
        /// The secret before it, sealed
        pub previous_secret: Option<Vec<u8>>,
        /// Until when that one signs, too
        pub previous_secret_expires_at: Option<Timestamp>,
    }
}

row! {
    /// A webhook with deliveries that are to be taken some day.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WaitingWebhook {
        /// `whk_…`
        pub webhook_id: WebhookId,
        /// The workspace of its project
        pub workspace_id: WorkspaceId,
        /// Canonical host of its URL
        pub host: String,
        /// The time at which the first of them is due
        pub due_at: Timestamp,
    }
}

row! {
    /// The work to do, over all webhooks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Backlog {
        /// The time at which the first is due
        pub first_due_at: Option<Timestamp>,
        /// Deliveries that are to be taken now
        pub due: i64,
        /// Deliveries that are to be taken later
        pub planned: i64,
        /// Deliveries that some server has
        pub in_flight: i64,
    }
}

statements! {
    // One step of the index for each webhook, however many deliveries it has. The steps are counted: that bounds the page, in
    // the order of the webhooks, whatever order the join that follows would find its rows in.
    WAITING = "WITH RECURSIVE waiting (webhook_id, number) AS ( \
        SELECT MIN(d.webhook_id), CAST(1 AS BIGINT) FROM deliveries d WHERE d.due_at IS NOT NULL AND d.webhook_id > $1 \
        UNION ALL SELECT (SELECT MIN(d.webhook_id) FROM deliveries d WHERE d.due_at IS NOT NULL \
        AND d.webhook_id > waiting.webhook_id), waiting.number + 1 FROM waiting \
        WHERE waiting.webhook_id IS NOT NULL AND waiting.number < CAST($2 AS BIGINT)) \
        SELECT w.id AS webhook_id, (SELECT p.workspace_id FROM projects p WHERE p.id = w.project_id) AS workspace_id, w.host, \
        (SELECT MIN(d.due_at) FROM deliveries d WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL) AS due_at \
        FROM waiting CROSS JOIN webhooks w WHERE w.id = waiting.webhook_id ORDER BY w.id";
    WAITING_OF = "SELECT found.webhook_id, found.workspace_id, found.host, found.due_at FROM (SELECT w.id AS webhook_id, \
        (SELECT p.workspace_id FROM projects p WHERE p.id = w.project_id) AS workspace_id, w.host, \
        (SELECT MIN(d.due_at) FROM deliveries d WHERE d.webhook_id = w.id AND d.due_at IS NOT NULL) AS due_at \
        FROM webhooks w WHERE w.project_id = $1) found WHERE found.due_at IS NOT NULL ORDER BY found.webhook_id";
    FIRST = sqlite "SELECT d.id, d.webhook_id, d.event_id, d.status, d.ended, d.attempts, d.failures, d.planned_at, d.resend, \
        d.due_at, d.lease AS fence, e.body, w.url, w.enabled, w.consecutive_failures, w.secret, w.previous_secret, \
        w.previous_secret_expires_at FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id \
        JOIN events e ON e.id = d.event_id WHERE d.webhook_id = $1 AND d.due_at <= $2 ORDER BY d.due_at LIMIT $3",
        postgres "SELECT d.id, d.webhook_id, d.event_id, d.status, d.ended, d.attempts, d.failures, d.planned_at, d.resend, \
        d.due_at, d.lease AS fence, e.body, w.url, w.enabled, w.consecutive_failures, w.secret, w.previous_secret, \
        w.previous_secret_expires_at FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id \
        JOIN events e ON e.id = d.event_id WHERE d.webhook_id = $1 AND d.due_at <= $2 ORDER BY d.due_at LIMIT $3 \
        FOR UPDATE OF d SKIP LOCKED";
    BACKLOG = "WITH RECURSIVE waiting (webhook_id) AS ( \
        SELECT MIN(d.webhook_id) FROM deliveries d WHERE d.due_at IS NOT NULL \
        UNION ALL SELECT (SELECT MIN(d.webhook_id) FROM deliveries d WHERE d.due_at IS NOT NULL \
        AND d.webhook_id > waiting.webhook_id) FROM waiting WHERE waiting.webhook_id IS NOT NULL) \
        SELECT MIN(d.due_at) AS first_due_at, COUNT(CASE WHEN d.due_at <= $1 THEN 1 END) AS due, \
        COUNT(CASE WHEN d.due_at > $1 AND d.status = 'pending' THEN 1 END) AS planned, \
        COUNT(CASE WHEN d.due_at > $1 AND d.status = 'delivering' THEN 1 END) AS in_flight \
        FROM waiting CROSS JOIN deliveries d WHERE d.webhook_id = waiting.webhook_id AND d.due_at IS NOT NULL";
}

/// The first `limit` webhooks after `after`, by id, that have deliveries to be taken now or later: fewer are all of them.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn waiting(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<WaitingWebhook>, StoreError> {
    fetch_all!(tx, WaitingWebhook, WAITING, after, limit)
}

/// The webhooks of a project that have deliveries to be taken now or later.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn waiting_of(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<WaitingWebhook>, StoreError> {
    fetch_all!(tx, WaitingWebhook, WAITING_OF, project_id.as_str())
}

/// The first deliveries of a webhook that are to be taken, at most `limit`; those that another transaction takes are left
/// out.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn first(tx: &mut Tx, webhook_id: &WebhookId, now: Timestamp, limit: i64) -> Result<Vec<DueDelivery>, StoreError> {
    fetch_all!(tx, DueDelivery, FIRST, webhook_id.as_str(), now.as_millis(), limit)
}

/// Reads the work to do, over all webhooks.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn backlog(tx: &mut Tx, now: Timestamp) -> Result<Backlog, StoreError> {
    fetch_one!(tx, Backlog, BACKLOG, now.as_millis())
}

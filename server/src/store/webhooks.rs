//! Webhooks. Secrets are sealed before they come here.

use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::DisabledReason;
use l10n_api_types::{ProjectId, WebhookId};

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A webhook.
    #[derive(Debug, Clone)]
    pub struct Webhook {
        /// `whk_…`
        pub id: WebhookId,
        /// Its project
        pub project_id: ProjectId,
        /// As it was registered
        pub url: String,
        /// Canonical host of `url`
        pub host: String,
        /// Events that are delivered to it
        pub events: Json<Vec<EventType>>,
        /// True if events are delivered to it
        pub enabled: bool,
        /// The reason why the service disabled it
        pub disabled_reason: Option<DisabledReason>,
        /// Deliveries in a row that ended as `failed`
        pub consecutive_failures: i64,
        /// The time at which it was disabled; `None` while it is enabled, and where nobody wrote it down
        pub disabled_at: Option<Timestamp>,
        /// The secret, sealed
        pub secret: Vec<u8>,
        /// Its last four characters
        pub secret_hint: String,
        /// The secret before it, sealed
        pub previous_secret: Option<Vec<u8>>,
        /// Until when that one signs, too
        pub previous_secret_expires_at: Option<Timestamp>,
        /// The time of its registration
        pub created_at: Timestamp,
    }
}

row! {
    /// The part of a webhook that its deliveries depend on and change.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct WebhookState {
        /// `whk_…`
        pub id: WebhookId,
        /// True if events are delivered to it
        pub enabled: bool,
        /// The reason why the service disabled it
        pub disabled_reason: Option<DisabledReason>,
        /// Deliveries in a row that ended as `failed`
        pub consecutive_failures: i64,
        /// The time at which it was disabled
        pub disabled_at: Option<Timestamp>,
    }
}

row! {
    /// The last deliveries of a webhook in numbers.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct RecentDeliveries {
        /// All of them
        pub taken: i64,
        /// Those whose plan has ended
        pub ended: i64,
        /// Those of them that arrived
        pub arrived: i64,
        /// The time of the last attempt that was answered 2xx
        pub last_success_at: Option<Timestamp>,
    }
}

row! {
    /// A webhook that is enabled.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Subscriber {
        /// `whk_…`
        pub id: WebhookId,
        /// Events that are delivered to it
        pub events: Json<Vec<EventType>>,
        /// The handle of its workspace, which events name
        pub handle: String,
    }
}

row! {
    /// The secrets of a webhook, sealed.
    #[derive(Debug, Clone)]
    pub struct WebhookSecrets {
        /// `whk_…`
        pub id: WebhookId,
        /// The secret
        pub secret: Vec<u8>,
        /// Its last four characters
        pub secret_hint: String,
        /// The secret before it
        pub previous_secret: Option<Vec<u8>>,
        /// Until when that one signs, too
        pub previous_secret_expires_at: Option<Timestamp>,
    }
}

/// The outcomes of the latest deliveries of webhooks.
macro_rules! recent {
    ($which:literal) => {
        concat!(
            "SELECT \
            (SELECT COUNT(*) FROM (SELECT d.ended FROM deliveries d WHERE d.webhook_id = w.id ORDER BY d.id DESC LIMIT $2) \
            AS latest) AS taken, \
            (SELECT COUNT(*) FROM (SELECT d.ended FROM deliveries d WHERE d.webhook_id = w.id ORDER BY d.id DESC LIMIT $2) \
            AS latest WHERE latest.ended IS NOT NULL) AS ended, \
            (SELECT COUNT(*) FROM (SELECT d.ended FROM deliveries d WHERE d.webhook_id = w.id ORDER BY d.id DESC LIMIT $2) \
            AS latest WHERE latest.ended = 'delivered') AS arrived, \
            (SELECT MAX(latest.last_attempt_at) FROM (SELECT d.last_attempt_at, d.last_status_code FROM deliveries d \
            WHERE d.webhook_id = w.id ORDER BY d.id DESC LIMIT $2) AS latest \
            WHERE latest.last_status_code >= 200 AND latest.last_status_code < 300) AS last_success_at \
            FROM webhooks w WHERE ",
            $which,
            " ORDER BY w.id"
        )
    };
}

statements! {
    INSERT = "INSERT INTO webhooks (id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, \
        secret, secret_hint, previous_secret, previous_secret_expires_at, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, NULL, 0, $7, $8, NULL, NULL, $9)";
    FIND = "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, disabled_at, \
        secret, secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 AND id = $2";
    LOCK = sqlite "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, disabled_at, \
        secret, secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 AND id = $2",
        postgres "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, disabled_at, \
        secret, secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE";
    LIST = "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, disabled_at, \
        secret, secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 ORDER BY id";
    COUNT = "SELECT COUNT(*) FROM webhooks WHERE project_id = $1";
    COUNT_OF_URL = "SELECT COUNT(*) FROM webhooks WHERE project_id = $1 AND url = $2";
    RECENT = recent!("w.project_id = $1");
    RECENT_OF = recent!("w.id = $1");
    UPDATE = "UPDATE webhooks SET url = $2, host = $3, events = $4, enabled = $5, disabled_reason = $6, \
        consecutive_failures = $7, disabled_at = $8 WHERE id = $1";
    ROTATE = "UPDATE webhooks SET secret = $2, secret_hint = $3, previous_secret = $4, \
        previous_secret_expires_at = $5 WHERE id = $1";
    PAGE_LOCKED = sqlite "SELECT id, secret, secret_hint, previous_secret, previous_secret_expires_at FROM webhooks \
        WHERE id > $1 ORDER BY id LIMIT $2",
        postgres "SELECT id, secret, secret_hint, previous_secret, previous_secret_expires_at FROM webhooks \
        WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE";
    PAGE = "SELECT id, secret, secret_hint, previous_secret, previous_secret_expires_at FROM webhooks \
        WHERE id > $1 ORDER BY id LIMIT $2";
    DELETE = "DELETE FROM webhooks WHERE project_id = $1 AND id = $2";
    ENABLED = sqlite "SELECT h.id, h.events, w.handle FROM webhooks h JOIN projects p ON p.id = h.project_id \
        JOIN workspaces w ON w.id = p.workspace_id WHERE h.project_id = $1 AND h.enabled ORDER BY h.id",
        postgres "SELECT h.id, h.events, w.handle FROM webhooks h JOIN projects p ON p.id = h.project_id \
        JOIN workspaces w ON w.id = p.workspace_id WHERE h.project_id = $1 AND h.enabled ORDER BY h.id FOR SHARE OF h";
    STANDINGS = values "SELECT id, enabled, disabled_reason, consecutive_failures, disabled_at FROM webhooks WHERE id IN (" each "?"
        then ")";
    LOCK_STANDINGS = values "SELECT id, enabled, disabled_reason, consecutive_failures, disabled_at FROM webhooks WHERE id IN ("
        each "?" then ") ORDER BY id" lock " FOR NO KEY UPDATE";
    SET_STANDING = "UPDATE webhooks SET enabled = $2, disabled_reason = $3, consecutive_failures = $4, disabled_at = $5 \
        WHERE id = $1";
}

/// Registers a webhook; enabled, without failures and without a secret before its own.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, webhook: &Webhook) -> Result<(), StoreError> {
    let Webhook { id, project_id, url, host, secret, secret_hint, .. } = webhook;
    let events = to_json("events", &webhook.events.0)?;
    let created_at = webhook.created_at.as_millis();
    execute!(tx, INSERT, id.as_str(), project_id.as_str(), url, host, events, webhook.enabled, secret, secret_hint, created_at).map(drop)
}

/// A webhook of the project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
    fetch_optional!(tx, Webhook, FIND, project_id.as_str(), id.as_str())
}

/// A webhook of the project, which no other transaction changes until `tx` ends. Who takes the project's lock, too, takes
/// that first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock(tx: &mut Tx, project_id: &ProjectId, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
    fetch_optional!(tx, Webhook, LOCK, project_id.as_str(), id.as_str())
}

/// The project's webhooks in the order of their registration.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<Webhook>, StoreError> {
    fetch_all!(tx, Webhook, LIST, project_id.as_str())
}

/// The number of the project's webhooks, enabled or not.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, project_id: &ProjectId) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT, project_id.as_str())?;
    Ok(count)
}

/// The number of the project's webhooks with exactly this URL.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count_of_url(tx: &mut Tx, project_id: &ProjectId, url: &str) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT_OF_URL, project_id.as_str(), url)?;
    Ok(count)
}

/// The last `of` deliveries of each webhook of the project in numbers, in the order of [`list`].
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn recent(tx: &mut Tx, project_id: &ProjectId, of: i64) -> Result<Vec<RecentDeliveries>, StoreError> {
    fetch_all!(tx, RecentDeliveries, RECENT, project_id.as_str(), of)
}

/// The last `of` deliveries of a webhook in numbers.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if it is gone.
pub async fn recent_of(tx: &mut Tx, id: &WebhookId, of: i64) -> Result<RecentDeliveries, StoreError> {
    fetch_one!(tx, RecentDeliveries, RECENT_OF, id.as_str(), of)
}

/// Writes what a person or the delivery engine changes: address, events, whether it is enabled and why not, failures.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if it is gone.
pub async fn update(tx: &mut Tx, webhook: &Webhook) -> Result<(), StoreError> {
    let Webhook { id, url, host, enabled, consecutive_failures, .. } = webhook;
    let events = to_json("events", &webhook.events.0)?;
    let reason = webhook.disabled_reason.map(DisabledReason::as_str);
    let since = webhook.disabled_at.map(Timestamp::as_millis);
    StoreError::exactly_one(execute!(
        tx,
        UPDATE,
        id.as_str(),
        url,
        host,
        events,
        *enabled,
        reason,
        *consecutive_failures,
        since
    )?)
}

/// Writes a webhook's secrets.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if it is gone.
pub async fn set_secrets(tx: &mut Tx, secrets: &WebhookSecrets) -> Result<(), StoreError> {
    let WebhookSecrets { id, secret, secret_hint, previous_secret, .. } = secrets;
    let until = secrets.previous_secret_expires_at.map(Timestamp::as_millis);
    StoreError::exactly_one(execute!(tx, ROTATE, id.as_str(), secret, secret_hint, previous_secret, until)?)
}

/// The secrets of webhooks of every project, by id, behind `after`; no other transaction changes them until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock_secrets(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<WebhookSecrets>, StoreError> {
    fetch_all!(tx, WebhookSecrets, PAGE_LOCKED, after, limit)
}

/// The secrets of webhooks of every project, by id, behind `after`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn secrets(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<WebhookSecrets>, StoreError> {
    fetch_all!(tx, WebhookSecrets, PAGE, after, limit)
}

/// Deletes a webhook of the project with its deliveries; whether there was one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, project_id: &ProjectId, id: &WebhookId) -> Result<bool, StoreError> {
    Ok(execute!(tx, DELETE, project_id.as_str(), id.as_str())? > 0)
}

/// The project's enabled webhooks. They stay enabled until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn enabled(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<Subscriber>, StoreError> {
    fetch_all!(tx, Subscriber, ENABLED, project_id.as_str())
}

/// The standing of these webhooks, as far as they exist.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn states(tx: &mut Tx, ids: &[&WebhookId]) -> Result<Vec<WebhookState>, StoreError> {
    fetch_values!(tx, WebhookState, STANDINGS, [], ids, |id| [id.as_str()])
}

/// The standing of these webhooks, as far as they exist; no other transaction changes them until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock_states(tx: &mut Tx, ids: &[&WebhookId]) -> Result<Vec<WebhookState>, StoreError> {
    fetch_values!(tx, WebhookState, LOCK_STANDINGS, [], ids, |id| [id.as_str()])
}

/// Writes how a webhook stands.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if it is gone.
pub async fn set_state(tx: &mut Tx, standing: &WebhookState) -> Result<(), StoreError> {
    let WebhookState { id, enabled, disabled_reason, consecutive_failures, disabled_at } = standing;
    let (reason, since) = (disabled_reason.map(DisabledReason::as_str), disabled_at.map(Timestamp::as_millis));
    StoreError::exactly_one(execute!(tx, SET_STANDING, id.as_str(), *enabled, reason, *consecutive_failures, since)?)
}

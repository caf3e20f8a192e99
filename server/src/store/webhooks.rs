//! Webhooks. Secrets are sealed before they come here.

use l10n_api_types::events::EventType;
use l10n_api_types::webhooks::DisabledReason;

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A webhook.
    #[derive(Debug, Clone)]
    pub struct Webhook {
        /// `whk_…`
        pub id: String,
        /// Its project
        pub project_id: String,
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
        pub id: String,
        /// True if events are delivered to it
        pub enabled: bool,
        /// The reason why the service disabled it
        pub disabled_reason: Option<DisabledReason>,
        /// Deliveries in a row that ended as `failed`
        pub consecutive_failures: i64,
    }
}

row! {
    /// A webhook that is enabled.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Subscriber {
        /// `whk_…`
        pub id: String,
        /// Events that are delivered to it
        pub events: Json<Vec<EventType>>,
        /// The handle of its workspace, which events name
        pub handle: String,
    }
}

row! {
    /// The secrets of a webhook, sealed.
    #[derive(Debug, Clone)]
    pub struct Secrets {
        /// `whk_…`
        pub id: String,
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

statements! {
    INSERT = "INSERT INTO webhooks (id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, \
        secret, secret_hint, previous_secret, previous_secret_expires_at, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, NULL, 0, $7, $8, NULL, NULL, $9)";
    FIND = "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, secret, \
        secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 AND id = $2";
    LOCK = sqlite "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, secret, \
        secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 AND id = $2",
        postgres "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, secret, \
        secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE";
    LIST = "SELECT id, project_id, url, host, events, enabled, disabled_reason, consecutive_failures, secret, \
        secret_hint, previous_secret, previous_secret_expires_at, created_at FROM webhooks \
        WHERE project_id = $1 ORDER BY id";
    COUNT = "SELECT COUNT(*) FROM webhooks WHERE project_id = $1";
    UPDATE = "UPDATE webhooks SET url = $2, host = $3, events = $4, enabled = $5, disabled_reason = $6, \
        consecutive_failures = $7 WHERE id = $1";
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
    STANDINGS = values "SELECT id, enabled, disabled_reason, consecutive_failures FROM webhooks WHERE id IN (" each "?"
        then ")";
    LOCK_STANDINGS = values "SELECT id, enabled, disabled_reason, consecutive_failures FROM webhooks WHERE id IN ("
        each "?" then ") ORDER BY id" lock " FOR NO KEY UPDATE";
    SET_STANDING = "UPDATE webhooks SET enabled = $2, disabled_reason = $3, consecutive_failures = $4 WHERE id = $1";
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
    execute!(tx, INSERT, id, project_id, url, host, events, webhook.enabled, secret, secret_hint, created_at).map(drop)
}

/// A webhook of the project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &str, id: &str) -> Result<Option<Webhook>, StoreError> {
    fetch_optional!(tx, Webhook, FIND, project_id, id)
}

/// A webhook of the project, which no other transaction changes until `tx` ends. Who takes the project's lock, too, takes
/// that first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock(tx: &mut Tx, project_id: &str, id: &str) -> Result<Option<Webhook>, StoreError> {
    fetch_optional!(tx, Webhook, LOCK, project_id, id)
}

/// The project's webhooks in the order of their registration.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &str) -> Result<Vec<Webhook>, StoreError> {
    fetch_all!(tx, Webhook, LIST, project_id)
}

/// The number of the project's webhooks, enabled or not.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, project_id: &str) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT, project_id)?;
    Ok(count)
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
    StoreError::exactly_one(execute!(tx, UPDATE, id, url, host, events, *enabled, reason, *consecutive_failures)?)
}

/// Writes a webhook's secrets.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if it is gone.
pub async fn set_secrets(tx: &mut Tx, secrets: &Secrets) -> Result<(), StoreError> {
    let Secrets { id, secret, secret_hint, previous_secret, .. } = secrets;
    let until = secrets.previous_secret_expires_at.map(Timestamp::as_millis);
    StoreError::exactly_one(execute!(tx, ROTATE, id, secret, secret_hint, previous_secret, until)?)
}

/// The secrets of webhooks of every project, by id, behind `after`; no other transaction changes them until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock_secrets(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<Secrets>, StoreError> {
    fetch_all!(tx, Secrets, PAGE_LOCKED, after, limit)
}

/// The secrets of webhooks of every project, by id, behind `after`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn secrets(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<Secrets>, StoreError> {
    fetch_all!(tx, Secrets, PAGE, after, limit)
}

/// Deletes a webhook of the project with its deliveries; whether there was one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, project_id: &str, id: &str) -> Result<bool, StoreError> {
    Ok(execute!(tx, DELETE, project_id, id)? > 0)
}

/// The project's enabled webhooks. They stay enabled until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn enabled(tx: &mut Tx, project_id: &str) -> Result<Vec<Subscriber>, StoreError> {
    fetch_all!(tx, Subscriber, ENABLED, project_id)
}

/// The standing of these webhooks, as far as they exist.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn states(tx: &mut Tx, ids: &[&str]) -> Result<Vec<WebhookState>, StoreError> {
    fetch_values!(tx, WebhookState, STANDINGS, [], ids, |id| [*id])
}

/// The standing of these webhooks, as far as they exist; no other transaction changes them until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock_states(tx: &mut Tx, ids: &[&str]) -> Result<Vec<WebhookState>, StoreError> {
    fetch_values!(tx, WebhookState, LOCK_STANDINGS, [], ids, |id| [*id])
}

/// Writes how a webhook stands.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if it is gone.
pub async fn set_state(tx: &mut Tx, standing: &WebhookState) -> Result<(), StoreError> {
    let WebhookState { id, enabled, disabled_reason, consecutive_failures } = standing;
    let reason = disabled_reason.map(DisabledReason::as_str);
    StoreError::exactly_one(execute!(tx, SET_STANDING, id, *enabled, reason, *consecutive_failures)?)
}

//! Events with the bytes that are sent. Rows are written once and never changed.

use l10n_api_types::ProjectId;
use l10n_api_types::events::EventType;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    INSERT = "INSERT INTO events (id, project_id, event_type, publish_id, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    DELETE_UNUSED = values "DELETE FROM events WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = events.id) \
        AND id IN (" each "?" then ")";
    PAGE = "SELECT id FROM events WHERE id > $1 ORDER BY id LIMIT $2";
}

/// An event to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewEvent<'a> {
    /// `evt_…`
    pub id: &'a str,
    /// Its project
    pub project_id: &'a ProjectId,
    /// The event's type
    pub event_type: EventType,
    /// The publish, restore or rollback that fired it
    pub publish_id: &'a str,
    /// The envelope, as it is sent
    pub body: &'a [u8],
    /// The time of the event
    pub created_at: Timestamp,
}

/// Keeps an event.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, event: NewEvent<'_>) -> Result<(), StoreError> {
    let NewEvent { id, project_id, publish_id, body, .. } = event;
    let (event_type, created_at) = (event.event_type.as_str(), event.created_at.as_millis());
    execute!(tx, INSERT, id, project_id.as_str(), event_type, publish_id, body, created_at).map(drop)
}

/// Deletes those of the events that no delivery needs; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_unused(tx: &mut Tx, ids: &[String]) -> Result<u64, StoreError> {
    execute_values!(tx, DELETE_UNUSED, [], ids, |id| [id.as_str()])
}

/// At most `limit` events after `after`, by id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<String>, StoreError> {
    let ids = fetch_all!(tx, (String,), PAGE, after, limit)?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

//! The key that identifies a delivery.

use std::string::String;

use thiserror::Error;

/// Longest id, in bytes. The service's own ids have at most 64.
pub const MAX_ID_BYTES: usize = 128;

/// The pair of webhook id and event id (§6): an event that is delivered to two webhooks has two keys.
///
/// The signature covers only the body, so take the event's id from the body. Someone who replays a delivery within the
/// tolerance could change the webhook's id in the header: if an endpoint serves one webhook, use its known id.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryKey {
    webhook_id: String,
    event_id: String,
}

/// One of two strings is not a valid id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an id must be 1 to {MAX_ID_BYTES} visible ASCII characters")]
#[non_exhaustive]
pub struct KeyError;

impl DeliveryKey {
    /// The key for the delivery of an event to a webhook.
    ///
    /// # Errors
    ///
    /// [`KeyError`] if one of them is not a valid id. The limit bounds the memory of a key.
    pub fn new(webhook_id: impl Into<String>, event_id: impl Into<String>) -> Result<Self, KeyError> {
        let key = Self { webhook_id: webhook_id.into(), event_id: event_id.into() };
        let is_id = |id: &str| (1..=MAX_ID_BYTES).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        if is_id(&key.webhook_id) && is_id(&key.event_id) { Ok(key) } else { Err(KeyError) }
    }

    /// The webhook's id.
    #[must_use]
    pub fn webhook_id(&self) -> &str {
        &self.webhook_id
    }

    /// The event's id.
    #[must_use]
    pub fn event_id(&self) -> &str {
        &self.event_id
    }
}

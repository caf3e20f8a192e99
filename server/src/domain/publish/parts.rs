//! The parts of the server that publishes and restores use.

use super::limiter::PublishLimiter;
use crate::config::Limits;
use crate::domain::events::EventParts;
use crate::store::Store;

/// The parts of the server that publishes and restores use.
#[derive(Debug, Clone, Copy)]
pub struct PublishParts<'a> {
    /// The datastore: what is rendered ahead is read and stored in transactions of its own.
    pub store: &'a Store,
    /// Turns of publishing.
    pub turns: &'a PublishLimiter,
    /// Turns of comparing versions and of previews, apart from those of publishing.
    pub comparisons: &'a PublishLimiter,
    /// The day's limits.
    pub limits: &'a Limits,
    /// The parts that events use.
    pub events: EventParts<'a>,
}

//! Events (§6): each is put on its way to every webhook that is enabled and subscribed at that moment, in the
//! transaction in which it happens.

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::PublishId;
use l10n_api_types::events::{Envelope, EventProject, EventType, SCHEMA_VERSION};
use serde::Serialize;

use super::ServiceError;
use crate::clock::Clock;
use crate::deliveries_due::DeliveriesDue;
use crate::ids::{IdKind, new_id};
use crate::store::deliveries::NewDelivery;
use crate::store::events::NewEvent;
use crate::store::projects::Project;
use crate::store::{Tx, deliveries, events, webhooks};

/// The parts of the server that events use.
#[derive(Debug, Clone, Copy)]
pub struct EventParts<'a> {
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The time for which deliveries wait, so that receivers find the publish at every process.
    pub seen_by_all: Duration,
    /// Tells the delivery worker that deliveries may be due.
    pub deliveries_due: &'a Arc<DeliveriesDue>,
}

/// Records an event of a project whose lock `tx` has, with a delivery for each webhook that is to hear of it. The bytes
/// that are sent are made here, once. Without such a webhook nothing is written, for nobody could ever read it. The deliveries
/// are due when no other process serves what was live before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn record<D: Serialize>(
    tx: &mut Tx,
    parts: EventParts<'_>,
    project: &Project,
    event_type: EventType,
    publish_id: &PublishId,
    data: D,
) -> Result<(), ServiceError> {
    let enabled = webhooks::enabled(tx, &project.id).await?;
    let subscribed: Vec<_> = enabled.iter().filter(|webhook| webhook.events.0.contains(&event_type)).collect();
    let Some(first) = subscribed.first() else { return Ok(()) };
    let now = parts.clock.now();
    let id = new_id(IdKind::Event, now);
    let envelope = Envelope {
        id: id.as_str().into(),
        event_type,
        schema_version: SCHEMA_VERSION,
        created_at: now,
        project: EventProject {
            id: project.id.as_str().into(),
            handle: first.handle.clone(),
            slug: project.slug.clone(),
        },
        data,
    };
    let body = serde_json::to_vec(&envelope).map_err(ServiceError::internal)?;
    let publish_id = publish_id.as_str();
    let event = NewEvent { id: &id, project_id: &project.id, event_type, publish_id, body: &body, created_at: now };
    events::insert(tx, event).await?;
    let new: Vec<_> = subscribed
        .iter()
        .map(|webhook| NewDelivery { id: new_id(IdKind::Delivery, now), webhook_id: &webhook.id })
        .collect();
    let due_at = now.plus_millis(i64::try_from(parts.seen_by_all.as_millis()).unwrap_or_default());
    deliveries::insert(tx, &id, &new, now, due_at).await?;
    parts.deliveries_due.of_project_after(tx, &project.id);
    Ok(())
}

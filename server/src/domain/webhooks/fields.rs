//! The fields that a registration and a change have in common.

use l10n_api_types::events::EventType;

use crate::domain::ServiceError;
use crate::egress::{Egress, Target};

/// Judges a URL and the present addresses of its host. Asks name servers: not inside a transaction.
///
/// # Errors
///
/// 400 for a URL that deliveries may not be sent to (§4 rule 1).
pub(super) async fn target(egress: &Egress, url: &str) -> Result<Target, ServiceError> {
    let target = parsed(egress, url)?;
    egress.vet(&target).await.map_err(|failure| refused(&failure.text))?;
    Ok(target)
}

/// Judges a URL by its text alone.
///
/// # Errors
///
/// 400 for a URL that deliveries may not be sent to, whatever its host resolves to.
pub(super) fn parsed(egress: &Egress, url: &str) -> Result<Target, ServiceError> {
    egress.parse(url).map_err(|error| refused(&error.to_string()))
}

fn refused(reason: &str) -> ServiceError {
    ServiceError::InvalidArgument(format!("`url`: {reason}"))
}

/// The events, each once, in the order of the request (AMB-15).
///
/// # Errors
///
/// 400 for none: such a webhook would never be called.
pub(super) fn events(asked: Vec<EventType>) -> Result<Vec<EventType>, ServiceError> {
    let mut events: Vec<EventType> = Vec::with_capacity(EventType::ALL.len());
    for event in asked {
        if !events.contains(&event) {
            events.push(event);
        }
    }
    if events.is_empty() {
        let all: Vec<_> = EventType::ALL.iter().map(|event| event.as_str()).collect();
        return Err(ServiceError::InvalidArgument(format!("`events` must name at least one of {}", all.join(", "))));
    }
    Ok(events)
}

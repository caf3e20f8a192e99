//! Publishes and restores of people: what is live must still be what the person has seen.

use l10n_api_types::VersionId;
use l10n_api_types::publish::{Publish, Published};

use super::parts::PublishParts;
use super::publisher::PersonalCall;
use super::{carried_out, locked, restore};
use crate::domain::ServiceError;
use crate::store::Tx;

/// The reason why nothing was made live.
#[derive(Debug, thiserror::Error)]
pub enum PersonalError {
    /// Another version has become live since the person looked.
    #[error("another version has become live meanwhile")]
    Moved,
    /// The server, or the request.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(PersonalError);

/// Publishes all languages under a label, if `seen` is still live. Takes nothing from the day's publishes (§8).
///
/// # Errors
///
/// [`PersonalError::Moved`]; 400 for the label, 409 when there is no key.
pub async fn publish_seen(
    parts: PublishParts<'_>,
    call: PersonalCall<'_>,
    label: Option<String>,
    seen: Option<&VersionId>,
) -> Result<Published, PersonalError> {
    let asked = Publish { label, ..Publish::default() };
    let landing = carried_out(parts, call, &asked, &|| Box::pin(begin(parts, call, seen))).await?;
    landing.tx.commit().await?;
    Ok(landing.published)
}

/// Makes a version live again, if `seen` is still live. Takes nothing from the day's restores (§8).
///
/// # Errors
///
/// [`PersonalError::Moved`]; 404 for a version that is none of the project's, 409 when it is live.
pub async fn restore_seen(
    parts: PublishParts<'_>,
    call: PersonalCall<'_>,
    version: &VersionId,
    seen: Option<&VersionId>,
) -> Result<Published, PersonalError> {
    let mut tx = begin(parts, call, seen).await?;
    let published = restore(&mut tx, parts, call, version, None).await?;
    tx.commit().await?;
    Ok(published)
}

/// A transaction that holds the project, whose live version is the one that was seen.
async fn begin(parts: PublishParts<'_>, call: PersonalCall<'_>, seen: Option<&VersionId>) -> Result<Tx, PersonalError> {
    let mut tx = parts.store.begin_write_in(call.workspace, call.project).await?;
    let project = locked(&mut tx, call.project).await?;
    if project.live_version_id.as_ref() != seen {
        tx.rollback().await?;
        return Err(PersonalError::Moved);
    }
    Ok(tx)
}

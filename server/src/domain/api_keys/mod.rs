//! API keys, as people make, see, replace and revoke them (§2, §5.2). A key never changes: another one takes its place.

mod list;
mod make;
mod replace;
mod revoke;
mod uses;

pub use list::{ListedKey, NEWEST, list};
pub use make::{ApiKeyRequest, MadeKey, make};
pub(crate) use make::{LONGEST_KEY_LABEL, check_label, insert};
pub use replace::{KeyReplacement, Replaced, replace};
pub use revoke::{Revoked, end_due, revoke};
pub use uses::KeyUses;

use l10n_api_types::ProjectId;

use super::people::audit::{self, AuditAction, Record};
use super::{Actor, ServiceError};
use crate::clock::Timestamp;
use crate::store::api_keys::ApiKey;
use crate::store::projects::Project;
use crate::store::{StoreError, Tx, api_keys};

/// Keys of a project that are not revoked and that people may make.
const MOST: i64 = 500;

/// Longest time for which a key is made, in milliseconds: ten years.
const LONGEST_LIFE_MILLIS: i64 = 10 * 366 * 24 * 60 * 60 * 1_000;

/// The reason why nothing was done with a key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A label that people could not tell keys by.
    #[error("a label must be 1 to 100 characters long, without control characters")]
    Label,
    /// Another key of the project that is not refused bears this label.
    #[error("another key has this label: people could not tell them apart")]
    LabelTaken,
    /// No scope.
    #[error("a key must have at least one scope")]
    NoScope,
    /// An end in the past, or too far in the future.
    #[error("a key must end in the future, within ten years")]
    End,
    /// The project has as many keys as people may make.
    #[error("a project has at most {MOST} keys that are not revoked: revoke one first")]
    TooMany,
    /// The project has no such key.
    #[error("this project has no such key")]
    Unknown,
    /// The key is refused already: it has been revoked, or it has come to its end.
    #[error("the key is refused already")]
    Over,
    /// The key has changed since it was shown: somebody has replaced it.
    #[error("somebody has replaced the key meanwhile")]
    Changed,
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(KeyError);

/// Returns true if requests with this key are refused at `now`: it is revoked, or it has come to its end.
#[must_use]
pub fn is_over(key: &ApiKey, now: Timestamp) -> bool {
    key.revoked_at.is_some() || has_ended(key.ends_at, now)
}

/// Returns true if a key that its maker ends at this time is refused at `now`.
#[must_use]
pub fn has_ended(ends_at: Option<Timestamp>, now: Timestamp) -> bool {
    ends_at.is_some_and(|end| end <= now)
}

/// The key `id` of a project, in use or not.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project: &ProjectId, id: &str) -> Result<Option<ApiKey>, StoreError> {
    Ok(api_keys::find(tx, id).await?.filter(|key| key.project_id == *project))
}

/// Tells the audit log what was done with a key.
async fn tell(
    tx: &mut Tx,
    now: Timestamp,
    project: &Project,
    by: &Actor,
    (action, id): (AuditAction, &str),
    detail: &str,
) -> Result<(), ServiceError> {
    let record = Record { project: Some(&project.id), action, subject: Some(id), detail: Some(detail) };
    audit::write(tx, &project.workspace_id, by, now, record).await
}

/// A key of the project that is not refused at `now`; nobody else changes it until `tx` ends.
async fn held(tx: &mut Tx, project: &ProjectId, id: &str, now: Timestamp) -> Result<ApiKey, KeyError> {
    let found = api_keys::lock(tx, id).await?.filter(|key| key.project_id == *project);
    let key = found.ok_or(KeyError::Unknown)?;
    if is_over(&key, now) { Err(KeyError::Over) } else { Ok(key) }
}

//! The end of a key: at once, or at the time that its maker chose.

use super::{KeyError, held, tell};
use crate::clock::Timestamp;
use crate::domain::people::audit::AuditAction;
use crate::domain::{Actor, ServiceError, auth};
use crate::signal::Signal;
use crate::store::projects::Project;
use crate::store::{Tx, api_keys};

/// Keys that one transaction ends.
const AT_ONCE: i64 = 50;

/// A key that was revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revoked {
    /// Its label.
    pub label: String,
    /// The number of its requests for approval that were canceled with it.
    pub canceled: u64,
}

/// Refuses a key of a project from now on, and cancels what it has asked people to approve. Those who wait for a decision
/// about that are told when `tx` commits, and the audit log at once.
///
/// # Errors
///
/// [`KeyError::Unknown`] for a key of another project, [`KeyError::Over`] for one that is refused already.
pub async fn revoke(
    tx: &mut Tx,
    decided: &Signal,
    now: Timestamp,
    project: &Project,
    (id, by): (&str, &Actor),
) -> Result<Revoked, KeyError> {
    let key = held(tx, &project.id, id, now).await?;
    let canceled = auth::revoke_and_count(tx, id, now).await?.ok_or(KeyError::Over)?;
    let detail = match canceled {
        0 => key.label.clone(),
        canceled => format!("{}; canceled {canceled} requests for approval", key.label),
    };
    tell(tx, now, project, by, (AuditAction::KeyRevoked, id), &detail).await?;
    decided.wake_all_after(tx);
    Ok(Revoked { label: key.label, canceled })
}

/// Revokes some keys that have come to their end: they are refused already, and what they have asked for is canceled.
/// Returns whether there may be more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end_due(tx: &mut Tx, now: Timestamp) -> Result<bool, ServiceError> {
    let ended = api_keys::ended(tx, now, AT_ONCE).await?;
    for id in &ended {
        auth::revoke(tx, id, now).await?;
    }
    Ok(i64::try_from(ended.len()).is_ok_and(|count| count >= AT_ONCE))
}

//! Replacing a key: another with the same label, scopes and kind, while the old one goes on for a time.

use super::make::{check_end, check_room, insert};
use super::{ApiKeyRequest, KeyError, MadeKey, held, tell};
use crate::clock::Timestamp;
use crate::domain::people::audit::AuditAction;
use crate::domain::{Actor, auth};
use crate::signal::Signal;
use crate::store::projects::Project;
use crate::store::{Tx, api_keys, lock};

/// Longest time for which a replaced key goes on, in milliseconds: 30 days.
const LONGEST_DELAY_MILLIS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The way in which a key is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyReplacement {
    /// Time for which the old key goes on, in milliseconds; with 0 it is refused at once. At most 30 days.
    pub delay_millis: i64,
    /// The end of the new key, if it has one.
    pub ends_at: Option<Timestamp>,
    /// The end of the old key as the person saw it: a form that is sent twice makes one key.
    pub known_end: Option<Timestamp>,
}

/// A key and its replacement.
#[derive(Debug)]
pub struct Replaced {
    /// Label of both.
    pub label: String,
    /// The new key.
    pub made: MadeKey,
    /// From when on the old one is refused.
    pub old_ends_at: Timestamp,
}

/// Makes a key with the label, scopes and kind of another, which ends after a time, or earlier where its own end comes first,
/// and tells the audit log.
///
/// # Errors
///
/// [`KeyError`] for a key of another project, one that is refused already or has another end than the person saw, and an end
/// that no key has.
pub async fn replace(
    tx: &mut Tx,
    decided: &Signal,
    now: Timestamp,
    project: &Project,
    (id, by): (&str, &Actor),
    way: KeyReplacement,
) -> Result<Replaced, KeyError> {
    let KeyReplacement { delay_millis, ends_at, known_end } = way;
    check_end(ends_at, now)?;
    // Before the key's own lock, as everywhere.
    lock::project(tx, &project.id).await?;
    let old = held(tx, &project.id, id, now).await?;
    if old.ends_at != known_end {
        return Err(KeyError::Changed);
    }
    let wanted = ApiKeyRequest { label: old.label.clone(), scopes: old.scopes.0.clone(), kind: old.kind, ends_at };
    check_room(tx, &project.id).await?;
    let made = insert(tx, now, &project.id, by.person(), &wanted).await?;
    let end = now.plus_millis(delay_millis.clamp(0, LONGEST_DELAY_MILLIS));
    let old_ends_at = old.ends_at.map_or(end, |own| own.min(end));
    let detail = format!("{}; replaces {id}, which ends at {old_ends_at}", old.label);
    tell(tx, now, project, by, (AuditAction::KeyCreated, &made.id), &detail).await?;
    if delay_millis <= 0 {
        auth::revoke_and_count(tx, id, now).await?;
        decided.wake_all_after(tx);
    } else {
        api_keys::end(tx, id, old_ends_at).await?;
    }
    Ok(Replaced { label: old.label, made, old_ends_at })
}

//! Making a key.

use l10n_api_types::{KeyKind, ProjectId, Scope};

use super::{KeyError, LONGEST_LIFE_MILLIS, MOST, tell};
use crate::clock::Timestamp;
use crate::domain::Actor;
use crate::domain::people::audit::AuditAction;
use crate::ids::{ApiKeyText, IdKind, new_id};
use crate::store::api_keys::{self, NewApiKey};
use crate::store::projects::Project;
use crate::store::{StoreError, Tx, lock};

/// Longest label, in Unicode scalar values.
pub(crate) const LONGEST_KEY_LABEL: usize = 100;

/// Characters of a key's text by which people recognise it.
const HINT: usize = 4;

/// A key to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyRequest {
    /// Name for people.
    pub label: String,
    /// The scopes of the key.
    pub scopes: Vec<Scope>,
    /// The kind of user that has it.
    pub kind: KeyKind,
    /// From when on it is refused, if ever.
    pub ends_at: Option<Timestamp>,
}

/// A key that was just made.
#[derive(Debug)]
pub struct MadeKey {
    /// Id of its record.
    pub id: String,
    /// The key itself, which is shown this once.
    pub text: ApiKeyText,
}

impl ApiKeyRequest {
    /// Returns true if the key can do more than report missing keys. A key with `capture` may sit in an app, where anybody
    /// can read it, so that people are warned.
    #[must_use]
    pub fn is_capture_with_more(&self) -> bool {
        self.scopes.contains(&Scope::Capture) && self.scopes.iter().any(|scope| *scope != Scope::Capture)
    }

    fn check(&self, now: Timestamp) -> Result<(), KeyError> {
        check_label(&self.label)?;
        if self.scopes.is_empty() {
            return Err(KeyError::NoScope);
        }
        check_end(self.ends_at, now)
    }
}

/// Checks the name of a key.
///
/// # Errors
///
/// [`KeyError::Label`].
pub(crate) fn check_label(label: &str) -> Result<(), KeyError> {
    let is_empty = label.trim().is_empty();
    match is_empty || label.chars().count() > LONGEST_KEY_LABEL || label.chars().any(char::is_control) {
        true => Err(KeyError::Label),
        false => Ok(()),
    }
}

pub(super) fn check_end(ends_at: Option<Timestamp>, now: Timestamp) -> Result<(), KeyError> {
    let is_possible = |end: &Timestamp| *end > now && *end <= now.plus_millis(LONGEST_LIFE_MILLIS);
    if ends_at.as_ref().is_none_or(is_possible) { Ok(()) } else { Err(KeyError::End) }
}

/// Makes a key for a person, and tells the audit log.
///
/// # Errors
///
/// [`KeyError`] for a label, scopes or an end that no key has, and for one key too many.
pub async fn make(
    tx: &mut Tx,
    now: Timestamp,
    project: &Project,
    by: &Actor,
    wanted: &ApiKeyRequest,
) -> Result<MadeKey, KeyError> {
    wanted.check(now)?;
    // Whoever else makes one at the same time counts after this transaction.
    lock::project(tx, &project.id).await?;
    // A form that is sent twice makes one key.
    if api_keys::is_labelled(tx, &project.id, &wanted.label, now).await? {
        return Err(KeyError::LabelTaken);
    }
    check_room(tx, &project.id).await?;
    let made = insert(tx, now, &project.id, by.person(), wanted).await?;
    let scopes: Vec<&str> = wanted.scopes.iter().map(|scope| scope.as_str()).collect();
    let detail = format!("{}: {} ({})", wanted.label, scopes.join(", "), wanted.kind.as_str());
    tell(tx, now, project, by, (AuditAction::KeyCreated, &made.id), &detail).await?;
    Ok(made)
}

/// Checks that the project may have one more key. Lock it before.
pub(super) async fn check_room(tx: &mut Tx, project: &ProjectId) -> Result<(), KeyError> {
    match api_keys::count(tx, project).await? {
        MOST.. => Err(KeyError::TooMany),
        _ => Ok(()),
    }
}

/// Writes a new key, whose fields have been checked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn insert(
    tx: &mut Tx,
    now: Timestamp,
    project: &ProjectId,
    made_by: Option<&str>,
    wanted: &ApiKeyRequest,
) -> Result<MadeKey, StoreError> {
    let text = ApiKeyText::generate();
    let id = new_id(IdKind::ApiKey, now);
    let new = NewApiKey {
        id: &id,
        project_id: project,
        hash: text.hash(),
        label: &wanted.label,
        scopes: &wanted.scopes,
        kind: wanted.kind,
        created_at: now,
        ends_at: wanted.ends_at,
        hint: hint(&text),
        made_by,
    };
    api_keys::insert(tx, new).await?;
    Ok(MadeKey { id, text })
}

/// The last characters of a key, which its list shows. A key's text is ASCII.
pub(crate) fn hint(text: &ApiKeyText) -> &str {
    let text = text.expose();
    text.get(text.len().saturating_sub(HINT)..).unwrap_or_default()
}

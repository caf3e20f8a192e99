//! API keys of a description.

use l10n_api_types::{KeyKind, ProjectId, Scope};
use serde::Serialize;

use super::{KeyDescription, invalid};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::api_keys::{self as domain_keys, ApiKeyRequest};
use crate::store::{Tx, api_keys};

/// A key as it now is.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvisionedKey {
    /// Id of its record.
    pub key_id: String,
    /// Name for people.
    pub label: String,
    /// The scopes of the key.
    pub scopes: Vec<Scope>,
    /// The kind of user that has it.
    pub kind: KeyKind,
    /// The key itself, when this call made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl std::fmt::Debug for ProvisionedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProvisionedKey")
            .field("key_id", &self.key_id)
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

/// Finds or makes an API key.
pub(super) async fn key(
    tx: &mut Tx,
    now: Timestamp,
    project_id: &ProjectId,
    wanted: &KeyDescription,
    place: &str,
) -> Result<ProvisionedKey, ServiceError> {
    let present = api_keys::list(tx, project_id).await?;
    let Some(known) = present.into_iter().find(|key| !domain_keys::is_over(key, now) && key.label == wanted.label)
    else {
        return new_key(tx, now, project_id, wanted).await;
    };
    let mut scopes: Vec<&str> = wanted.scopes.iter().map(|scope| scope.as_str()).collect();
    let mut held: Vec<&str> = known.scopes.0.iter().map(|scope| scope.as_str()).collect();
    scopes.sort_unstable();
    held.sort_unstable();
    if scopes != held || known.kind != wanted.kind {
        let message = format!(
            "key `{}` is there with scopes {} and kind {}: a key never changes; revoke it ({}) or use another label",
            wanted.label,
            held.join(", "),
            known.kind.as_str(),
            known.id,
        );
        return Err(invalid(place, message));
    }
    Ok(ProvisionedKey {
        key_id: known.id,
        label: known.label,
        scopes: wanted.scopes.clone(),
        kind: wanted.kind,
        key: None,
    })
}

/// Makes an API key; the answer holds its text, which is shown this once.
///
/// # Errors
///
/// Returns an error if the label is empty, too long, or holds a control character.
pub(crate) async fn new_key(
    tx: &mut Tx,
    now: Timestamp,
    project_id: &ProjectId,
    wanted: &KeyDescription,
) -> Result<ProvisionedKey, ServiceError> {
    domain_keys::check_label(&wanted.label)
        .map_err(|_| invalid("label", "it takes 1 to 100 characters, none of them a control character"))?;
    let KeyDescription { label, scopes, kind } = wanted.clone();
    let made =
        domain_keys::insert(tx, now, project_id, None, &ApiKeyRequest { label, scopes, kind, ends_at: None }).await?;
    Ok(ProvisionedKey {
        key_id: made.id,
        label: wanted.label.clone(),
        scopes: wanted.scopes.clone(),
        kind: wanted.kind,
        key: Some(made.text.expose().to_owned()),
    })
}

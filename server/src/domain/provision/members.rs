//! Members of a described workspace.

use l10n_api_types::WorkspaceId;
use serde::Serialize;

use super::{MemberDescription, actor};
use crate::clock::Timestamp;
use crate::config::Settings;
use crate::domain::ServiceError;
use crate::domain::access::Role;
use crate::domain::people::links::{LinkValidity, sign_in_url};
use crate::domain::people::members::{self, MemberError};
use crate::domain::people::users;
use crate::store::Tx;

/// A member as it now is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvisionedMember {
    /// Id of the person.
    pub user_id: String,
    /// Address of the person.
    pub email: String,
    /// The role.
    pub role: &'static str,
    /// A link that signs the person in once, within 15 minutes, when this call made the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign_in_url: Option<String>,
}

/// Makes a person a member, or changes the role of one.
///
/// # Errors
///
/// Returns an error that names the wrong field.
pub(super) async fn member(
    tx: &mut Tx,
    now: Timestamp,
    settings: &Settings,
    workspace: &WorkspaceId,
    wanted: &MemberDescription,
    place: &str,
) -> Result<ProvisionedMember, ServiceError> {
    let invalid = |field: &str, message: String| ServiceError::InvalidArgument(format!("{place}.{field}: {message}"));
    let role = Role::parse(&wanted.role)
        .ok_or_else(|| invalid("role", "it takes viewer, translator, reviewer, manager or owner".to_owned()))?;
    let by = actor();
    let (person, is_new) = users::create(tx, now, &wanted.email, "").await.map_err(|error| match error {
        ServiceError::InvalidArgument(message) => invalid("email", message),
        error => error,
    })?;
    members::put(tx, now, &by, workspace, &person, role).await.map_err(|error| match error {
        MemberError::Service(error) => error,
        error => invalid("email", error.to_string()),
    })?;
    let sign_in_url = match is_new {
        true => {
            let token = users::sign_in_link(tx, now, &by, &person.email, LinkValidity::Brief).await?;
            Some(sign_in_url(settings, &token))
        }
        false => None,
    };
    Ok(ProvisionedMember { user_id: person.id.to_string(), email: person.email, role: role.as_str(), sign_in_url })
}

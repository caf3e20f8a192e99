//! Links that sign in once. The operator hands them on: they begin an account, and help who forgot a password.

use secrecy::{ExposeSecret as _, SecretString};

use crate::clock::Timestamp;
use crate::config::Settings;
use crate::domain::ServiceError;
use crate::ids::{UserId, new_token, token_hash};
use crate::store::{Tx, sign_in_links};

/// Time in which a link can be used: 15 minutes, in milliseconds.
const LASTS_MILLIS: i64 = 15 * 60 * 1_000;

/// The time in which a link can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkValidity {
    /// 15 minutes.
    Brief,
    /// Until it is used or replaced: for the server of one developer.
    UntilUsed,
}

/// Makes a link for a person, in place of an earlier one; returns its token, which is shown this once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn make(
    tx: &mut Tx,
    user: &UserId,
    now: Timestamp,
    validity: LinkValidity,
) -> Result<SecretString, ServiceError> {
    let token = new_token();
    let hash = token_hash(token.expose_secret()).ok_or_else(|| ServiceError::internal("a token has no hash"))?;
    let expires_at = (validity == LinkValidity::Brief).then(|| now.plus_millis(LASTS_MILLIS));
    sign_in_links::put(tx, user, hash, now, expires_at).await?;
    Ok(token)
}

/// The address of a link that signs in.
#[must_use]
pub fn sign_in_url(settings: &Settings, token: &SecretString) -> String {
    format!("{}/login/{}", settings.dashboard_url(), token.expose_secret())
}

/// The address of an invitation.
#[must_use]
pub fn invitation_url(settings: &Settings, token: &SecretString) -> String {
    format!("{}/invite/{}", settings.dashboard_url(), token.expose_secret())
}

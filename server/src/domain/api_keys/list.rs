//! The keys of a project.

use l10n_api_types::ProjectId;

use super::is_over;
use crate::clock::Timestamp;
use crate::store::api_keys::{self, ApiKey};
use crate::store::{StoreError, Tx};

/// Above every id.
pub const NEWEST: &str = "key~";

/// A key in a list.
#[derive(Debug, Clone)]
pub struct ListedKey {
    /// The key.
    pub key: ApiKey,
    /// True if requests with it are refused.
    pub is_over: bool,
}

/// At most `limit` keys of a project at `now`, from the one before `before` on, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    project: &ProjectId,
    now: Timestamp,
    before: &str,
    limit: i64,
) -> Result<Vec<ListedKey>, StoreError> {
    let keys = api_keys::page(tx, project, before, limit).await?;
    Ok(keys.into_iter().map(|key| ListedKey { is_over: is_over(&key, now), key }).collect())
}

//! What `GET /meta` and the list of languages count.

use l10n_api_types::State;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// Translations of active keys, of one language and state.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Count {
        /// BCP 47
        pub language: String,
        /// Their state
        pub state: State,
        /// How many they are
        pub number: i64,
        /// How many of them translate an earlier source
        pub stale: i64,
    }
}

row! {
    /// The version that the manifest shows.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Live {
        /// `ver_…`
        pub id: String,
        /// For people
        pub label: String,
        /// When it was published
        pub published_at: Timestamp,
    }
}

statements! {
    TRANSLATIONS = "SELECT t.language, t.state, COUNT(*) AS number, \
        CAST(SUM(CASE WHEN t.stale THEN 1 ELSE 0 END) AS BIGINT) AS stale \
        FROM translations t JOIN keys k ON k.id = t.key_id \
        WHERE t.project_id = $1 AND k.state = 'active' GROUP BY t.language, t.state";
    CAPTURED = "SELECT COUNT(*) FROM keys WHERE project_id = $1 AND state = 'captured'";
    LIVE = "SELECT v.id, v.label, v.published_at FROM versions v JOIN projects p ON p.live_version_id = v.id WHERE p.id = $1";
}

/// Translations of the project's active keys, counted by language and state.
///
/// # Errors
///
/// As the store.
pub async fn translations(tx: &mut Tx, project_id: &str) -> Result<Vec<Count>, StoreError> {
    fetch_all!(tx, Count, TRANSLATIONS, project_id)
}

/// Keys that were captured and wait to be accepted.
///
/// # Errors
///
/// As the store.
pub async fn captured_keys(tx: &mut Tx, project_id: &str) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), CAPTURED, project_id)?;
    Ok(count)
}

/// The live version, once there is one.
///
/// # Errors
///
/// As the store.
pub async fn live_version(tx: &mut Tx, project_id: &str) -> Result<Option<Live>, StoreError> {
    fetch_optional!(tx, Live, LIVE, project_id)
}

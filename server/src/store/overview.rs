//! The versions in `GET /meta`.

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// The version that the manifest shows.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LiveVersion {
        /// `ver_…`
        pub id: String,
        /// For people
        pub label: String,
        /// The time of its publish
        pub published_at: Timestamp,
    }
}

statements! {
    LIVE = "SELECT v.id, v.label, v.published_at FROM versions v JOIN projects p ON p.live_version_id = v.id WHERE p.id = $1";
}

/// The live version, once there is one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn live_version(tx: &mut Tx, project_id: &str) -> Result<Option<LiveVersion>, StoreError> {
    fetch_optional!(tx, LiveVersion, LIVE, project_id)
}

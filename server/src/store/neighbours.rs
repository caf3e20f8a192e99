//! The keys around others in their files.

use l10n_api_types::{Content, ProjectId};

use super::row::Json;
use super::{StoreError, Tx};

row! {
    /// A key near another one.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Neighbour {
        /// The `ref` of the other one
        pub name: String,
        /// Its place in the file as seen from the other one: below zero before it
        pub distance: i64,
        /// Its text
        pub source: Json<Content>,
    }
}

statements! {
    // A long text says little of those beside it.
    FIND = values "SELECT k.ref AS name, n.position - k.position AS distance, n.source FROM keys k \
        JOIN keys n ON n.project_id = k.project_id AND n.source_path = k.source_path \
        AND n.position >= k.position - 2 AND n.position <= k.position + 2 AND n.position <> k.position \
        WHERE n.state = 'active' AND n.staged_by IS NULL AND n.characters <= 300 AND k.project_id = $1 AND k.ref IN ("
        each "?" then ") ORDER BY k.ref, n.position, n.id LIMIT 2000";
}

/// The active keys that stand at most two places before or after the keys with these refs, in the order of their places.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project: &ProjectId, refs: &[&str]) -> Result<Vec<Neighbour>, StoreError> {
    fetch_values!(tx, Neighbour, FIND, [project.as_str()], refs, |name| [*name])
}

//! The tokens that many keys of a large project have (`domain::search`): the index of texts need not be asked for them.

use l10n_api_types::ProjectId;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A large project that is to be sampled.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ProjectToSample {
        /// The project
        pub project_id: ProjectId,
        /// The number of its active keys
        pub active: i64,
        /// The number of its keys in any state
        pub keys: i64,
    }
}

row! {
    /// Tokens of a project, each list with blanks between.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct ProjectTokens {
        /// Those that a search leaves out
        pub common: String,
        /// Those that it asks for only where the others find too much
        pub frequent: String,
    }
}

statements! {
    NEXT_DUE = "SELECT c.project_id, c.number AS active, \
        CAST((SELECT SUM(a.number) FROM key_counts a WHERE a.project_id = c.project_id) AS BIGINT) AS keys \
        FROM key_counts c LEFT JOIN common_tokens t ON t.project_id = c.project_id \
        WHERE c.project_id > $1 AND c.state = 'active' AND c.number > $2 \
        AND (t.project_id IS NULL OR t.sampled_at < $3 OR c.number > t.keys * 2 OR t.keys > c.number * 2) \
        ORDER BY c.project_id LIMIT 1";
    EACH = "SELECT ref FROM (SELECT ref, ROW_NUMBER() OVER (ORDER BY ref) AS place FROM keys WHERE project_id = $1) numbered \
        WHERE place % $2 = 0 ORDER BY ref";
    SAVE = "INSERT INTO common_tokens (project_id, tokens, frequent, keys, sampled_at) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (project_id) DO UPDATE SET tokens = excluded.tokens, frequent = excluded.frequent, keys = excluded.keys, \
        sampled_at = excluded.sampled_at";
    TOKENS = "SELECT tokens AS common, frequent FROM common_tokens WHERE project_id = $1";
}

/// The next project after `after`, in the order of ids, with more than `few` active keys that is due: it was last sampled before
/// `since`, or when it had less than half or more than twice as many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn next_due(
    tx: &mut Tx,
    after: &str,
    few: i64,
    since: Timestamp,
) -> Result<Option<ProjectToSample>, StoreError> {
    fetch_optional!(tx, ProjectToSample, NEXT_DUE, after, few, since.as_millis())
}

/// Each `step`th ref of a project, in their order. This passes over all of its keys, in their index alone.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn each_ref(tx: &mut Tx, project_id: &ProjectId, step: i64) -> Result<Vec<String>, StoreError> {
    let refs = fetch_all!(tx, (String,), EACH, project_id.as_str(), step)?;
    Ok(refs.into_iter().map(|(name,)| name).collect())
}

/// Keeps the tokens that many keys of a project have.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn save(tx: &mut Tx, due: &ProjectToSample, tokens: &ProjectTokens, now: Timestamp) -> Result<(), StoreError> {
    let ProjectTokens { common, frequent } = tokens;
    execute!(tx, SAVE, due.project_id.as_str(), common, frequent, due.active, now.as_millis()).map(drop)
}

/// The tokens that many keys of a project have; none if it is not large, or was not sampled yet.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of(tx: &mut Tx, project_id: &ProjectId) -> Result<ProjectTokens, StoreError> {
    Ok(fetch_optional!(tx, ProjectTokens, TOKENS, project_id.as_str())?.unwrap_or_default())
}

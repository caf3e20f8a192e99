//! Texts that a language lacks, and their characters.

use l10n_api_types::ProjectId;

use super::{StoreError, Tx};

row! {
    /// Active keys without a translation into a language.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Missing {
        /// Their number
        pub number: i64,
        /// The characters of their sources
        pub characters: i64,
    }
}

statements! {
    OF_LANGUAGE = "SELECT COUNT(*) AS number, CAST(COALESCE(SUM(k.characters), 0) AS BIGINT) AS characters FROM keys k \
        WHERE k.project_id = $1 AND k.state = 'active' AND NOT EXISTS \
        (SELECT 1 FROM translations t WHERE t.key_id = k.id AND t.language = $2)";
}

/// Active keys of a project without a translation into a language. It reads all keys of the project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_language(tx: &mut Tx, project_id: &ProjectId, language: &str) -> Result<Missing, StoreError> {
    fetch_one!(tx, Missing, OF_LANGUAGE, project_id.as_str(), language)
}

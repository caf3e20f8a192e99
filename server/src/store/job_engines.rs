//! The share of each engine in what is translated of a job, and its price.

use l10n_api_types::{Millicredits, TrackingToken};

use super::{StoreError, Tx};

row! {
    /// The share of an engine.
    #[derive(Debug, Clone, PartialEq, Eq, Hash)]
    pub struct EngineShare {
        /// Its name
        pub engine: String,
        /// Translations that it made
        pub texts: i64,
        /// Their price
        pub charged: Millicredits,
    }
}

statements! {
    ADD = values "INSERT INTO job_engines (job_id, engine, texts, charged) VALUES" each "(?, ?, ?, ?)"
        then "ON CONFLICT (job_id, engine) DO UPDATE SET texts = job_engines.texts + excluded.texts, \
        charged = job_engines.charged + excluded.charged";
    LIST = "SELECT engine, texts, charged FROM job_engines WHERE job_id = $1 ORDER BY engine";
    DELETE = values "DELETE FROM job_engines WHERE job_id IN (" each "?" then ")";
}

/// Adds the shares of engines in a chunk of a job, each engine once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn add(tx: &mut Tx, token: &TrackingToken, shares: &[EngineShare]) -> Result<(), StoreError> {
    execute_values!(tx, ADD, [], shares, |share| [
        token.as_str(),
        share.engine.as_str(),
        share.texts,
        share.charged.0
    ])
    .map(drop)
}

/// The shares of the engines of a job, by their names.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, token: &TrackingToken) -> Result<Vec<EngineShare>, StoreError> {
    fetch_all!(tx, EngineShare, LIST, token.as_str())
}

/// Deletes the shares of jobs that are about to be deleted.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, tokens: &[String]) -> Result<(), StoreError> {
    execute_values!(tx, DELETE, [], tokens, |token| [token.as_str()]).map(drop)
}

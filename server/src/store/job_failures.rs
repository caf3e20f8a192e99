//! Translations of jobs that failed.

use l10n_api_types::TrackingToken;

use super::{StoreError, Tx};

row! {
    /// A translation that failed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct JobFailure {
        /// The key's `ref`
        pub name: String,
        /// The language
        pub language: String,
        /// The reason, to branch on
        pub error: String,
        /// The reason, for people
        pub message: String,
    }
}

row! {
    /// A translation that failed, with its place in the list of them.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PlacedFailure {
        /// Its place
        pub seq: i64,
        /// The key's `ref`; of a document's segment, its hash
        pub name: String,
        /// The language
        pub language: String,
        /// The reason, to branch on
        pub error: String,
        /// The reason, for people
        pub message: String,
    }
}

statements! {
    INSERT = values "INSERT INTO job_failures (job_id, seq, ref, language, error, message) VALUES"
        each "(?, ?, ?, ?, ?, ?)" then "";
    LIST_AFTER = "SELECT seq, ref AS name, language, error, message FROM job_failures WHERE job_id = $1 AND seq > $2 \
        ORDER BY seq LIMIT $3";
    LIST = "SELECT ref AS name, language, error, message FROM job_failures WHERE job_id = $1 ORDER BY seq LIMIT $2";
}

/// Records what failed; `first` is the number of failures recorded before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    first: i64,
    failures: &[JobFailure],
) -> Result<(), StoreError> {
    let rows: Vec<_> = (first..).zip(failures).collect();
    execute_values!(tx, INSERT, [], rows, |(seq, failure)| [
        tracking_token.as_str(),
        *seq,
        failure.name.as_str(),
        failure.language.as_str(),
        failure.error.as_str(),
        failure.message.as_str(),
    ])
    .map(drop)
}

/// The failures, in order, at most `limit`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, tracking_token: &TrackingToken, limit: i64) -> Result<Vec<JobFailure>, StoreError> {
    fetch_all!(tx, JobFailure, LIST, tracking_token.as_str(), limit)
}

/// The failures after the place `after`, in order, at most `limit`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list_after(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    after: i64,
    limit: i64,
) -> Result<Vec<PlacedFailure>, StoreError> {
    fetch_all!(tx, PlacedFailure, LIST_AFTER, tracking_token.as_str(), after, limit)
}

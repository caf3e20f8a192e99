//! Windows of requests that server processes count together. Rough by design: what a crash of the database undoes is
//! counted once less.

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A window, as one process or all of them have counted it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct WindowCount {
        /// The time at which it began
        pub began: Timestamp,
        /// Requests that were let in
        pub requests: i64,
    }
}

statements! {
    // Requests count in the window that they were let in by. Where another one has begun since, they are over with theirs,
    // unless no window that others know has let them in ($6).
    MERGE = "INSERT INTO request_windows (budget, began, requests) VALUES ($1, $2, $3) \
        ON CONFLICT (budget) DO UPDATE SET \
        began = CASE WHEN request_windows.began <= $4 OR request_windows.began > $5 \
            THEN excluded.began ELSE request_windows.began END, \
        requests = CASE WHEN request_windows.began <= $4 OR request_windows.began > $5 THEN excluded.requests \
            WHEN request_windows.began = excluded.began OR $6 THEN request_windows.requests + excluded.requests \
            ELSE request_windows.requests END \
        RETURNING began, requests";
    MERGE_JOINED = values "INSERT INTO request_windows (budget, began, requests) VALUES" each "(?, ?, ?)" then
        "ON CONFLICT (budget) DO UPDATE SET \
        began = CASE WHEN request_windows.began <= $1 OR request_windows.began > $2 \
            THEN excluded.began ELSE request_windows.began END, \
        requests = CASE WHEN request_windows.began <= $1 OR request_windows.began > $2 THEN excluded.requests \
            WHEN request_windows.began = excluded.began THEN request_windows.requests + excluded.requests \
            ELSE request_windows.requests END \
        RETURNING budget, began, requests";
    MERGE_NEW = values "INSERT INTO request_windows (budget, began, requests) VALUES" each "(?, ?, ?)" then
        "ON CONFLICT (budget) DO UPDATE SET \
        began = CASE WHEN request_windows.began <= $1 OR request_windows.began > $2 \
            THEN excluded.began ELSE request_windows.began END, \
        requests = CASE WHEN request_windows.began <= $1 OR request_windows.began > $2 THEN excluded.requests \
            ELSE request_windows.requests + excluded.requests END \
        RETURNING budget, began, requests";
}

/// Adds what a process has let in to the window that all of them count, and returns that window.
///
/// One that began at `oldest` or before, or after `newest` (by a clock that was wrong), is over: the process's own takes
/// its place. `joined`: the process's own is, as far as it knows, the one that all count; otherwise what it has let in counts
/// in theirs.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn merge(
    tx: &mut Tx,
    budget: &str,
    own: WindowCount,
    oldest: Timestamp,
    newest: Timestamp,
    joined: bool,
) -> Result<WindowCount, StoreError> {
    let (began, requests) = (own.began.as_millis(), own.requests);
    fetch_one!(tx, WindowCount, MERGE, budget, began, requests, oldest.as_millis(), newest.as_millis(), !joined)
}

row! {
    /// A window that all processes count.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SharedWindow {
        /// Its owner
        pub budget: String,
        /// The time at which it began
        pub began: Timestamp,
        /// Requests that were let in
        pub requests: i64,
    }
}

/// Like [`merge`] for several budgets, each named once; the process has joined the windows of all of them, or of none. In any
/// order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn merge_all(
    tx: &mut Tx,
    own: &[(String, WindowCount)],
    oldest: Timestamp,
    newest: Timestamp,
    joined: bool,
) -> Result<Vec<SharedWindow>, StoreError> {
    let (oldest, newest) = (oldest.as_millis(), newest.as_millis());
    let statement = if joined { MERGE_JOINED } else { MERGE_NEW };
    fetch_values!(tx, SharedWindow, statement, [oldest, newest], own, |(budget, own)| [
        budget,
        own.began.as_millis(),
        own.requests
    ])
}

//! Errors below the domain, distinguished by codes, never by texts or names of constraints.

use sqlx::error::{DatabaseError, ErrorKind};
use sqlx::migrate::MigrateError;

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// `database_url` names nothing that can be opened. The text says what to change and holds no password.
    #[error("{0}")]
    Location(String),
    /// The database cannot be reached or does not take the work now: no connection, begin or commit failed, locked, full,
    /// read-only. Nothing was written, unless it was the answer to a commit that got lost (§7).
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// Too many writes of one project or workspace wait for their turn already. Nothing was written.
    #[error("too many writes of the same project wait already")]
    Busy,
    /// Changes of a large run of the project are still being moved to their place. Nothing was written.
    #[error("changes of a large run are still being moved to their place")]
    Moving,
    /// A row with this primary or unique key exists already.
    #[error("a row with this key exists already: {0}")]
    Unique(#[source] sqlx::Error),
    /// A stored value cannot be read back as what it should be.
    #[error("the stored {what} cannot be read: {reason}")]
    Corrupt {
        /// The value that was read, such as `keys.source`.
        what: &'static str,
        /// The reason.
        reason: String,
    },
    /// The schema cannot be brought to this release's.
    #[error("the database cannot be migrated: {0}")]
    Migration(#[source] MigrateError),
    /// Anything else: a mistake in a statement, a broken reference, a row that is not there.
    #[error("the database refused a statement: {0}")]
    Other(#[source] sqlx::Error),
}

impl StoreError {
    /// For a caller whose own patience is over.
    pub fn no_answer() -> Self {
        Self::Unavailable(sqlx::Error::PoolTimedOut)
    }

    /// A stored value that cannot be read back, such as JSON of another shape.
    pub fn corrupt(what: &'static str, reason: impl std::fmt::Display) -> Self {
        Self::Corrupt { what, reason: reason.to_string() }
    }

    /// For a statement by primary key, which must touch one row.
    ///
    /// # Errors
    ///
    /// [`StoreError::Other`] when `affected` is not 1.
    pub fn exactly_one(affected: u64) -> Result<(), Self> {
        Self::exactly(1, affected)
    }

    /// For a statement by several primary keys, each of which is there once.
    ///
    /// # Errors
    ///
    /// [`StoreError::Other`] when `affected` is not `expected`.
    pub fn exactly(expected: usize, affected: u64) -> Result<(), Self> {
        if affected == expected as u64 { Ok(()) } else { Err(Self::Other(sqlx::Error::RowNotFound)) }
    }

    /// Returns true if trying again later can help.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Busy | Self::Moving)
    }

    /// Returns true if nothing but the wait failed: whoever others went before may come again.
    pub fn waited_in_vain(&self) -> bool {
        matches!(self, Self::Unavailable(sqlx::Error::PoolTimedOut) | Self::Busy)
    }

    /// Returns true if a failed commit may have been made all the same, because its answer was lost.
    pub fn leaves_outcome_unknown(&self) -> bool {
        match self {
            // A server that says why it failed has not committed.
            Self::Unavailable(error) => is_lost(error),
            _ => false,
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        match &error {
            E::Database(database) if database.kind() == ErrorKind::UniqueViolation => Self::Unique(error),
            E::Database(database) if is_outage(database.as_ref()) => Self::Unavailable(error),
            E::Io(_) | E::Tls(_) | E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed | E::BeginFailed => {
                Self::Unavailable(error)
            }
            _ => Self::Other(error),
        }
    }
}

impl From<MigrateError> for StoreError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) => match Self::from(error) {
                Self::Other(error) => Self::Migration(MigrateError::Execute(error)),
                other => other,
            },
            other => Self::Migration(other),
        }
    }
}

/// Returns true if nothing more can be done on the connection that met `error`.
pub(super) fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        // A server that says why it failed is there, unless it is about to end.
        sqlx::Error::Database(error) => {
            let is_ending = |state: &str| state.starts_with("57P") || state.starts_with("08");
            is_of_postgres(error.as_ref()) && error.code().is_some_and(|state| is_ending(&state))
        }
        _ => true,
    }
}

fn is_of_postgres(error: &dyn DatabaseError) -> bool {
    error.try_downcast_ref::<sqlx::postgres::PgDatabaseError>().is_some()
}

fn is_outage(error: &dyn DatabaseError) -> bool {
    let Some(code) = error.code() else {
        return false;
    };
    if is_of_postgres(error) { postgres_outage(&code) } else { code.parse().is_ok_and(sqlite_outage) }
}

/// SQLSTATE: whole classes where the class is about the state of the server, single codes elsewhere.
fn postgres_outage(state: &str) -> bool {
    const CLASSES: [&str; 6] = [
        "08", // connection exception
        "28", // the server does not let us in
        "40", // rolled back: deadlock, serialisation failure
        "53", // out of disk, memory, connections
        "57", // shutting down, starting up, canceled
        "58", // input/output error
    ];
    const CODES: [&str; 3] = [
        "25006", // read-only: a standby
        "3D000", // no such database
        "55P03", // lock not available
    ];
    CODES.contains(&state) || state.get(..2).is_some_and(|class| CLASSES.contains(&class))
}

/// The primary result code is the low byte of SQLite's extended one.
fn sqlite_outage(code: i32) -> bool {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const NOMEM: i32 = 7;
    const READONLY: i32 = 8;
    const IOERR: i32 = 10;
    const FULL: i32 = 13;
    const CANTOPEN: i32 = 14;
    const PROTOCOL: i32 = 15;
    matches!(code & 0xff, BUSY | LOCKED | NOMEM | READONLY | IOERR | FULL | CANTOPEN | PROTOCOL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_the_server_are_outages_and_mistakes_are_not() {
        for outage in
            ["08006", "53100", "53300", "57P01", "57014", "40P01", "40001", "25006", "55P03", "58030", "28P01"]
        {
            assert!(postgres_outage(outage), "{outage}");
        }
        for mistake in ["42601", "42P01", "23503", "23505", "22P02", "25001", ""] {
            assert!(!postgres_outage(mistake), "{mistake}");
        }
        for outage in [5, 517, 6, 8, 776, 10, 266, 13, 14] {
            assert!(sqlite_outage(outage), "{outage}");
        }
        for mistake in [1, 11, 19, 787, 20, 26] {
            assert!(!sqlite_outage(mistake), "{mistake}");
        }
    }
}

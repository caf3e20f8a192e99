//! The queries of a check of the whole database.

use l10n_api_types::{ProjectId, VersionId};
use sqlx::AssertSqlSafe;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A workspace whose balance is not the sum of its ledger.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UnbalancedWorkspace {
        /// The workspace
        pub handle: String,
        /// The stored balance
        pub balance: i64,
        /// The sum of the ledger
        pub summed: i64,
    }
}

row! {
    /// A workspace's month whose charges are not those of its ledger.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UnbalancedMonth {
        /// The workspace
        pub handle: String,
        /// The beginning of the month
        pub month: Timestamp,
        /// The stored sum
        pub charged: i64,
        /// The sum of the ledger
        pub summed: i64,
    }
}

row! {
    /// A document's source.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DocumentSource {
        /// `cvr_…`
        pub id: VersionId,
        /// Its text
        pub body: String,
        /// SHA-256 of it
        pub sha256: Vec<u8>,
    }
}

row! {
    /// A project.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CheckedProject {
        /// `prj_…`
        pub id: ProjectId,
        /// Its workspace
        pub handle: String,
        /// Its name in the workspace
        pub slug: String,
    }
}

/// Months whose sum differs; the month of an entry of the ledger is told in other words by each engine.
macro_rules! unbalanced_months {
    ($month:literal) => {
        concat!(
            "SELECT handle, month, CAST(SUM(charged) AS BIGINT) AS charged, CAST(SUM(summed) AS BIGINT) AS summed FROM (\
            SELECT w.handle, m.month, m.charged, 0 AS summed FROM workspaces w \
            CROSS JOIN workspace_months m WHERE m.workspace_id = w.id \
            UNION ALL SELECT w.handle, ",
            $month,
            ", 0, -l.amount FROM workspaces w CROSS JOIN ledger l WHERE l.workspace_id = w.id AND l.kind = 'charge') each_month \
            GROUP BY handle, month HAVING SUM(charged) <> SUM(summed) ORDER BY handle, month"
        )
    };
}

statements! {
    PROJECTS = "SELECT p.id, w.handle, p.slug FROM projects p JOIN workspaces w ON w.id = p.workspace_id WHERE p.id > $1 \
        ORDER BY p.id LIMIT $2";
    BLOBS = "SELECT sha256 FROM blobs WHERE sha256 > $1 ORDER BY sha256 LIMIT $2";
    SOURCES = "SELECT id, body, sha256 FROM document_sources WHERE id > $1 AND sha256 IS NOT NULL ORDER BY id LIMIT $2";
    UNBALANCED = "SELECT handle, balance, summed FROM (SELECT w.handle, w.balance, \
        CAST(COALESCE((SELECT SUM(l.amount) FROM ledger l WHERE l.workspace_id = w.id), 0) AS BIGINT) AS summed \
        FROM workspaces w) each_workspace WHERE balance <> summed ORDER BY handle";
    UNBALANCED_MONTHS = sqlite unbalanced_months!("unixepoch(l.created_at / 1000, 'unixepoch', 'start of month') * 1000"),
        postgres unbalanced_months!("CAST(EXTRACT(EPOCH FROM date_trunc('month', \
            to_timestamp(l.created_at / 1000) AT TIME ZONE 'UTC')) AS BIGINT) * 1000");
}

/// The next projects after one; at first after none.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn projects(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<CheckedProject>, StoreError> {
    fetch_all!(tx, CheckedProject, PROJECTS, after, limit)
}

/// The next hashes of stored contents after one; at first after none.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn blobs(tx: &mut Tx, after: &[u8], limit: i64) -> Result<Vec<Vec<u8>>, StoreError> {
    Ok(fetch_all!(tx, (Vec<u8>,), BLOBS, after, limit)?.into_iter().map(|(sha256,)| sha256).collect())
}

/// The next sources of documents after one, those that have a hash.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sources(tx: &mut Tx, after: &str, limit: i64) -> Result<Vec<DocumentSource>, StoreError> {
    fetch_all!(tx, DocumentSource, SOURCES, after, limit)
}

/// Workspaces whose balance is not the sum of their ledger.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn unbalanced(tx: &mut Tx) -> Result<Vec<UnbalancedWorkspace>, StoreError> {
    fetch_all!(tx, UnbalancedWorkspace, UNBALANCED)
}

/// Months whose charges are not those of the ledger.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn unbalanced_months(tx: &mut Tx) -> Result<Vec<UnbalancedMonth>, StoreError> {
    fetch_all!(tx, UnbalancedMonth, UNBALANCED_MONTHS)
}

/// Errors that SQLite finds in its file; PostgreSQL has checksums of its own (`pg_amcheck`).
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn file_faults(tx: &mut Tx) -> Result<Vec<String>, StoreError> {
    let Tx::Sqlite(tx) = tx else { return Ok(Vec::new()) };
    let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(100)").fetch_all(&mut **tx).await?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}

/// Rows that refer to rows that are not there: of which table, to which, and how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn broken_references(tx: &mut Tx) -> Result<Vec<(String, i64)>, StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            const CHECK: &str = "SELECT \"table\" || ' to ' || parent, COUNT(*) FROM pragma_foreign_key_check \
                GROUP BY 1 ORDER BY 1";
            Ok(sqlx::query_as(CHECK).fetch_all(&mut **tx).await?)
        }
        Tx::Postgres(tx) => {
            // A statement for each foreign key, which counts the rows without a row to refer to.
            const KEYS: &str = "SELECT con.conrelid::regclass::text || ' to ' || con.confrelid::regclass::text, \
                format('SELECT COUNT(*) FROM %s c WHERE %s AND NOT EXISTS (SELECT 1 FROM %s p WHERE %s)', \
                    con.conrelid::regclass, cols.present, con.confrelid::regclass, cols.joined) \
                FROM pg_constraint con CROSS JOIN LATERAL ( \
                    SELECT string_agg(format('c.%I IS NOT NULL', a.attname), ' AND ') AS present, \
                        string_agg(format('p.%I = c.%I', f.attname, a.attname), ' AND ') AS joined \
                    FROM unnest(con.conkey, con.confkey) AS k (child, parent) \
                    JOIN pg_attribute a ON a.attrelid = con.conrelid AND a.attnum = k.child \
                    JOIN pg_attribute f ON f.attrelid = con.confrelid AND f.attnum = k.parent) cols \
                WHERE con.contype = 'f' AND con.connamespace = current_schema()::regnamespace ORDER BY 1, con.conname";
            let keys: Vec<(String, String)> = sqlx::query_as(KEYS).fetch_all(&mut **tx).await?;
            let mut broken = Vec::new();
            for (key, statement) in keys {
                let rows: i64 = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut **tx).await?;
                if rows > 0 {
                    broken.push((key, rows));
                }
            }
            Ok(broken)
        }
    }
}

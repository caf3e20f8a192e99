//! The migrations, embedded, and how each engine keeps several processes from running them at once.

use std::borrow::Cow;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqlSafeStr as _, SqlitePool};

use super::StoreError;

/// A number, a name, and the text for each engine, read from the files of the same name.
macro_rules! migrations {
    ($($number:literal $name:literal),* $(,)?) => {
        /// Number, name, text for SQLite, text for PostgreSQL.
        const MIGRATIONS: &[(i64, &str, &str, &str)] = &[$((
            $number,
            $name,
            include_str!(concat!("../../../migrations/sqlite/", $name, ".sql")),
            include_str!(concat!("../../../migrations/postgres/", $name, ".sql")),
        )),*];
    };
}

migrations! {
    1 "0001_initial",
    2 "0002_webhooks",
    3 "0003_trust",
    4 "0004_code_changes",
    5 "0005_documents",
    6 "0006_document_jobs",
    7 "0007_unused_operations",
    8 "0008_source_hashes",
    10 "0010_runs",
    11 "0011_staged_blobs",
    13 "0013_job_turns",
    14 "0014_key_pages",
    15 "0015_process_leases",
    16 "0016_archiving_limit",
    17 "0017_operation_ids",
    114 "0114_counters",
    116 "0116_memory_of_projects",
    216 "0216_retention",
    217 "0217_staged_runs",
    218 "0218_live_generations",
    219 "0219_rendered_documents",
    220 "0220_people",
    230 "0230_api_keys",
    240 "0240_publishers",
    250 "0250_runs",
    260 "0260_members_seen",
    261 "0261_ledger_projects",
    270 "0270_disabled_webhooks",
    271 "0271_delivery_attempts",
    280 "0280_project_settings",
    281 "0281_looks",
    290 "0290_identities",
    300 "0300_search",
    301 "0301_glossary",
    302 "0302_memory_sources",
    310 "0310_project_engines",
    311 "0311_key_syntax",
    320 "0320_glossary_checks",
    321 "0321_moving_runs",
    330 "0330_hints",
    331 "0331_glossary_revisions",
    332 "0332_job_engines",
    340 "0340_service_glossaries",
    341 "0341_segment_checks",
    342 "0342_staged_archives",
    343 "0343_files_of_all_languages",
    344 "0344_longer_sequences",
    345 "0345_common_tokens",
    350 "0350_staged_imports",
    351 "0351_state_beside_ref",
    352 "0352_workspace_months",
    353 "0353_pruned_versions",
    354 "0354_frequent_tokens",
}

/// In one `BEGIN IMMEDIATE` transaction: who comes second waits, then finds nothing to do.
pub(super) async fn sqlite(writer: &SqlitePool) -> Result<(), StoreError> {
    let mut tx = writer.begin_with("BEGIN IMMEDIATE").await.map_err(StoreError::Unavailable)?;
    migrator(|(_, _, sqlite, _)| sqlite).run_direct(None, &mut *tx, false).await?;
    tx.commit().await.map_err(StoreError::Unavailable)
}

/// On a connection of its own: the advisory lock that sqlx takes belongs to the session, and must go with it on failure.
pub(super) async fn postgres(options: &PgConnectOptions) -> Result<(), StoreError> {
    let mut connection = options.connect().await?;
    let outcome = migrator(|(_, _, _, postgres)| postgres).run_direct(None, &mut connection, false).await;
    connection.close().await?;
    Ok(outcome?)
}

/// Names this set of migrations: for tests, which copy a database that has run them.
#[cfg(feature = "testing")]
pub(crate) fn fingerprint() -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    let mut hasher = DefaultHasher::new();
    MIGRATIONS.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Run with `run_direct`: the future of `run` is not `Send`.
fn migrator(text: fn(&(i64, &'static str, &'static str, &'static str)) -> &'static str) -> Migrator {
    Migrator::with_migrations(
        MIGRATIONS
            .iter()
            .map(|migration| {
                let (number, name, ..) = *migration;
                let text = text(migration).into_sql_str();
                Migration::new(number, Cow::Borrowed(name), MigrationType::Simple, text, false)
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_file_of_both_engines_is_embedded_under_its_number() {
        let embedded: Vec<String> = MIGRATIONS.iter().map(|(_, name, ..)| format!("{name}.sql")).collect();
        for engine in ["sqlite", "postgres"] {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(engine);
            let mut files: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name.ends_with(".sql"))
                .collect();
            files.sort();
            assert_eq!(files, embedded, "{engine}");
        }
        for (number, name, ..) in MIGRATIONS {
            assert!(name.starts_with(&format!("{number:04}_")), "{name}");
        }
    }
}
